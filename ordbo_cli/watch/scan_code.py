"""The code on a sheet that a phone's camera reads."""

from __future__ import annotations


def code_of(link: str) -> str:
    """Return a link as a QR code: an SVG element, black on white in whichever theme."""
    import segno

    code = segno.make(link, micro=False, error="m")
    svg: str = code.svg_inline(scale=4, border=4, dark="#000000", light="#ffffff", svgclass=None, lineclass=None)
    return svg
