"""Makes matplotlib's SVG a part of an HTML page: ids of its own, the page's colours, a title and a description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

_SVG: Final = "{http://www.w3.org/2000/svg}"
_LINK: Final = "{http://www.w3.org/1999/xlink}href"
# What pictures are drawn with. All else is left out: metadata, scripts, style sheets that would rule the whole page.
_SHAPES: Final = frozenset({"circle", "ellipse", "image", "line", "path", "polygon", "polyline", "rect", "use"})
_PAINTS: Final = frozenset({"clipPath", "linearGradient", "pattern", "radialGradient", "stop"})
_WORDS: Final = frozenset({"text", "tspan"})
_KEPT: Final = _SHAPES | _PAINTS | _WORDS | {"defs", "g"}
_PIXELS: Final = {"": 1.0, "px": 1.0, "pt": 96 / 72, "in": 96.0, "mm": 96 / 25.4, "cm": 96 / 2.54}
_LENGTH: Final = re.compile(r"\s*([0-9.]+(?:e[+-]?[0-9]+)?)\s*([a-z]*)\s*", re.IGNORECASE)
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b", re.IGNORECASE)
_REFERENCE: Final = re.compile(r"url\(\s*[\"']?#([^\"')]+)[\"']?\s*\)")
_AROUND: Final = "6"  # radius of the circle around a mark
_SPACES: Final = re.compile(r"\s+")
_COLOURED: Final = frozenset({"style", "fill", "stroke", "color", "stop-color"})


@dataclass(frozen=True)
class Inlined:
    """A picture as a part of a page.

    Args:
        markup: the ``<svg>`` element.
        width: how wide it was drawn, in CSS pixels.
    """

    markup: str
    width: float


def inline(
    svg: str,
    prefix: str,
    *,
    title: str,
    alt: str,
    colours: Mapping[str, str] | None = None,
    points: Mapping[str, Sequence[int]] | None = None,
) -> Inlined:
    """Return matplotlib's SVG as an element of an HTML page.

    It is as wide as its place, but no wider than it was drawn (the page's style sheet reads ``--natural``).

    Args:
        svg: a whole SVG file; ``svg.fonttype`` should be ``none``, so that its text stays text.
        prefix: set in front of every id, another one for each picture of the page.
        title: the picture's name, as plain text.
        alt: what it shows, as plain text, for those who do not see it.
        colours: for a colour as the picture has it, ``#1b1b1f``, what the page puts in its place, ``var(--ink)``.
        points: for identifiers of groups of marks or lines the numbers of the evaluations that these are, in order: as
            ``data-point`` each gets its own.

    Raises:
        ValueError: it is no SVG, or one without a size.
    """
    try:
        root = ElementTree.fromstring(svg.encode("utf-8"))
    except (ElementTree.ParseError, UnicodeEncodeError) as error:
        raise ValueError(f"the picture {title!r} is no SVG: {error}") from None
    if root.tag != f"{_SVG}svg":
        raise ValueError(f"the picture {title!r} is no SVG: its outermost element is {root.tag!r}")
    width, height = (_pixels(root.get(side, ""), title) for side in ("width", "height"))
    box = root.get("viewBox", f"0 0 {width:g} {height:g}")
    swaps = {old.lower(): new for old, new in (colours or {}).items()}
    picture = _copy(root, prefix, swaps)
    for group in picture.iter("g"):
        _number(group, (points or {}).get(group.get("id", "").removeprefix(prefix), ()))
    picture.attrib = {
        "viewBox": box,
        "role": "img",
        "aria-labelledby": f"{prefix}title",
        "aria-describedby": f"{prefix}desc",
        "style": f"--natural: {width:.6g}px; aspect-ratio: {width:.6g} / {height:.6g}",
    }
    for place, (tag, text) in enumerate((("title", title), ("desc", alt))):
        element = ElementTree.Element(tag, {"id": f"{prefix}{tag}"})
        element.text = text
        picture.insert(place, element)
    return Inlined(ElementTree.tostring(picture, encoding="unicode"), width)


def _number(group: ElementTree.Element, points: Sequence[int]) -> None:
    """Give the marks of a group, or its lines where it has as many of these, the numbers of their evaluations.

    A mark gets a circle around it, too: it is easier to hit, and shows which one is pointed at.
    """
    defined = {id(each) for defs in group.iter("defs") for each in defs.iter()}
    for kind in ("use", "path"):
        found = [each for each in group.iter(kind) if id(each) not in defined]
        if len(found) == len(points):
            for each, number in zip(found, points, strict=True):
                each.set("data-point", str(number))
                if kind == "use":
                    around = {"cx": each.get("x", "0"), "cy": each.get("y", "0"), "r": _AROUND, "class": "around"}
                    ElementTree.SubElement(group, "circle", {**around, "data-point": str(number)})
            return


def _pixels(length: str, title: str) -> float:
    found = _LENGTH.fullmatch(length)
    if not found or found[2].lower() not in _PIXELS or not float(found[1]):
        raise ValueError(f"the picture {title!r} has no size: {length!r}")
    return float(found[1]) * _PIXELS[found[2].lower()]


def _copy(element: ElementTree.Element, prefix: str, swaps: Mapping[str, str]) -> ElementTree.Element:
    """Return what the page keeps of an element, without name spaces, which HTML does not know."""
    copy = ElementTree.Element(element.tag.removeprefix(_SVG), dict(_attributes(element, prefix, swaps)))
    words = copy.tag in _WORDS
    copy.text = element.text if words else None
    for child in element:
        if isinstance(child.tag, str) and child.tag.removeprefix(_SVG) in _KEPT:
            copied = _copy(child, prefix, swaps)
            copied.tail = child.tail if words else None
            copy.append(copied)
    return copy


def _attributes(element: ElementTree.Element, prefix: str, swaps: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in element.items():
        if name == "id":
            yield name, prefix + value
        elif name in ("href", _LINK):
            if value.startswith("#"):
                yield "href", f"#{prefix}{value[1:]}"
            elif value.startswith("data:image/"):
                yield "href", _SPACES.sub("", value)
        elif not name.startswith(("{", "on")):
            if name in _COLOURED:
                value = _COLOUR.sub(lambda found: swaps.get(found[0].lower(), found[0]), value)
            value = _REFERENCE.sub(lambda found: f"url(#{prefix}{found[1]})", value)
            yield name, _SPACES.sub(" ", value).strip()
