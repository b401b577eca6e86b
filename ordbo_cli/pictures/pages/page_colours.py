"""The report's colours, light and dark: CSS variables that the page and the pictures in it share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ordbo_cli.pictures import style

# Text (ink, soft, accent, good, bad, warn) has at least 4.5:1 against page, panel and its own tint;
# edge and the series, which are lines and marks, have 3:1. The series differ for colour-blind readers too.
LIGHT: Final[Mapping[str, str]] = {
    "--page": "#f5f6f8",
    "--panel": "#ffffff",
    "--raised": "#eef0f4",
    "--ink": "#1a1d23",
    "--soft": "#555c69",
    "--line": "#dde1e7",
    "--edge": "#7a8291",
    "--accent": "#1d5bb8",
    "--tint": "#e7effb",
    "--good": "#13703f",
    "--bad": "#b3261e",
    "--warn": "#7d5200",
    "--warn-tint": "#fdf3dc",
    "--series-1": "#0072b2",
    "--series-2": "#c24e00",
    "--series-3": "#00855f",
    "--series-4": "#a3478a",
}
DARK: Final[Mapping[str, str]] = {
    "--page": "#101216",
    "--panel": "#181b21",
    "--raised": "#22262e",
    "--ink": "#e8eaee",
    "--soft": "#a6adba",
    "--line": "#2d323c",
    "--edge": "#7f8797",
    "--accent": "#8db9ff",
    "--tint": "#1b2a42",
    "--good": "#63d29b",
    "--bad": "#ff938a",
    "--warn": "#f0c25a",
    "--warn-tint": "#2c2514",
    "--series-1": "#5ab4f0",
    "--series-2": "#ff9a57",
    "--series-3": "#3fcf9f",
    "--series-4": "#e59acb",
}

_VARIABLES: Final = {  # for each colour of the pictures
    "paper": "--panel",
    "ink": "--ink",
    "muted": "--soft",
    "grid": "--line",
    "data": "--series-1",
    "latent": "--series-2",
    "best": "--series-3",
    "next": "--series-4",
    "failed": "--bad",
    "infeasible": "--warn",
}


def picture_colours() -> dict[str, str]:
    """Return for each colour of pictures in the light theme what takes its place on a page, in whichever theme."""
    return {colour: f"var({_VARIABLES[name]})" for name, colour in style.LIGHT.colours().items()}


def declarations(colours: Mapping[str, str]) -> str:
    """Return the colours as the inside of a CSS rule."""
    return " ".join(f"{name}: {value};" for name, value in colours.items())
