"""Shapes of companies' sites with their reports, and a server of one on loopback."""

from __future__ import annotations

from tests.servers.ir_sites.handmade import SHAPES as _HANDMADE
from tests.servers.ir_sites.international import SHAPES as _INTERNATIONAL
from tests.servers.ir_sites.layouts import SHAPES as _LAYOUTS
from tests.servers.ir_sites.obstacles import SHAPES as _OBSTACLES
from tests.servers.ir_sites.platforms import SHAPES as _PLATFORMS

SHAPES = (*_PLATFORMS, *_HANDMADE, *_LAYOUTS, *_INTERNATIONAL, *_OBSTACLES)
HELD_BACK = tuple(shape for shape in SHAPES if shape.is_held_back)
"""Shapes that no rule was tuned on."""
TUNED_ON = tuple(shape for shape in SHAPES if not shape.is_held_back)
