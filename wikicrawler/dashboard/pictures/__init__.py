"""Pictures as inline SVG: the same data as a drawing, as a description and as a table.

Each function returns markup that needs no script and no ``style``: classes begin with ``picture``,
and ``static/pictures.css`` gives them their colours. Without data it returns a sentence. Names and
units may come from strangers; they are cut, escaped, and made visible.

====================================  ==============================================================
Class                                 What it is
====================================  ==============================================================
``picture``, ``picture-KIND``         a figure; KIND is ``sparkline``, ``timeline``, ``histogram``,
                                      ``calendar``, ``shares`` or ``shares-over-time``
``picture-image``, …                  its SVG (``picture-KIND-image``)
``picture-empty``                     the sentence that stands for it (``picture-KIND-empty``)
``picture-table``, ``picture-note``   the table behind it, and what it leaves out
``picture-line``, ``picture-mark``    a line and the marks on it, of ``picture-series-1`` to ``-6``
``picture-last``                      the last point of a sparkline
``picture-name``, …                   the name of a line (``picture-name-1`` to ``-6``)
``picture-grid``                      lines of a scale
``picture-scale``, ``picture-time``,  texts of the scales
``picture-class``, ``picture-unit``,
``picture-day``, ``picture-month``
``picture-bar``, ``picture-median``   a bar, and the one with the median (``picture-median-name``)
``picture-count``                     the number on a bar
``picture-level-0`` to ``-4``         a day by how much happened
``picture-part-1`` to ``-6``          a part of a whole, below its ``picture-pattern``
``picture-part-name``                 the name of a part, on a ``picture-plate``
``picture-legend``                    names of parts, each with a ``picture-swatch``
``visually-hidden``                   only for screen readers
====================================  ==============================================================
"""

from wikicrawler.dashboard.pictures.change_calendar import change_calendar
from wikicrawler.dashboard.pictures.histogram import LATENCIES, Bin, bins_of, histogram
from wikicrawler.dashboard.pictures.scales import Moment
from wikicrawler.dashboard.pictures.shares import share_bar, shares_over_time
from wikicrawler.dashboard.pictures.sparkline import sparkline
from wikicrawler.dashboard.pictures.timeline import Series, timeline

__all__ = [
    "LATENCIES",
    "Bin",
    "Moment",
    "Series",
    "bins_of",
    "change_calendar",
    "histogram",
    "share_bar",
    "shares_over_time",
    "sparkline",
    "timeline",
]
