#!/usr/bin/env python3
"""Gives Inter's double bar (U+2016, as in a norm) thinner strokes that stand further apart.

Inter draws it with strokes of 200 units and a gap of 212; at 12 to 14 pixels the two run together into one grey
block that is taller than every letter. Run by hand in an environment with fonttools; running it again changes nothing.

    python assets/fonts/norm_bars.py
"""

from pathlib import Path

from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTFont

# Units of 1/2816 em.
GAP, BEARING, BOTTOM, TOP = 420, 170, -300, 2348
STROKES = {"Inter-Regular.otf": 180, "Inter-SemiBold.otf": 260}

for name, stroke in STROKES.items():
    path = Path(__file__).parent / name
    font = TTFont(path, recalcTimestamp=False)
    glyph = font.getBestCmap()[0x2016]
    width = 2 * BEARING + 2 * stroke + GAP
    cff = font["CFF "].cff
    top = cff.topDictIndex[0]
    old = top.CharStrings[glyph]
    # A charstring has its width as the distance from the nominal one.
    pen = T2CharStringPen(width - old.private.nominalWidthX, None)
    for left in (BEARING, BEARING + stroke + GAP):
        right = left + stroke
        pen.moveTo((left, BOTTOM))
        pen.lineTo((right, BOTTOM))
        pen.lineTo((right, TOP))
        pen.lineTo((left, TOP))
        pen.closePath()
    top.CharStrings[glyph] = pen.getCharString(old.private, old.globalSubrs)
    font["hmtx"][glyph] = (width, BEARING)
    font.save(path)
