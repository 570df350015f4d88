"""Messages in ASCII where the operator asks for it by the C locale."""

from __future__ import annotations

import io
import os
import sys
from locale import LC_CTYPE, setlocale

_OVERRIDES = ("PYTHONUTF8", "PYTHONIOENCODING")


def respect_c_locale() -> None:
    """Write ``sys.stderr`` in ASCII if the locale is C (``LC_ALL=C``), and escape all else.

    Python itself writes UTF-8 in that locale (PEP 540), which a terminal without it shows as noise.
    Without any locale in the environment it uses C.UTF-8 (PEP 538), and nothing changes; nor does
    it if ``PYTHONUTF8`` or ``PYTHONIOENCODING`` is set.
    """
    if setlocale(LC_CTYPE) not in {"C", "POSIX"} or any(map(os.environ.get, _OVERRIDES)):
        return
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(encoding="ascii", errors="backslashreplace")
