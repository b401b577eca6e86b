"""A page of ours in a browser, for the tests that look at one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Dialog
from playwright.sync_api import Page as Tab

NARROW = 390


class Visit:
    """An open report, and what went on in it. A script of the test's may run before the report's own."""

    def __init__(self, browser: Browser, path: Path, before: str = "", **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.context.add_init_script(before)
        self.tab: Tab = self.context.new_page()
        self.asked: list[str] = []
        self.faults: list[str] = []
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.on("console", lambda message: self.faults.append(f"{message.type}: {message.text}"))
        self.tab.on("pageerror", lambda error: self.faults.append(str(error)))
        self.tab.on("dialog", self.refuse)
        self.tab.goto(path.as_uri())

    def refuse(self, dialog: Dialog) -> None:
        """Close what a script of a name's making would open."""
        self.faults.append(dialog.message)
        dialog.dismiss()

    def column(self, index: int) -> list[str]:
        """Return the texts of a column, as far as its rows are shown."""
        texts: list[str] = self.tab.eval_on_selector_all(
            "#table tbody tr:not([hidden])", f"rows => rows.map(row => row.cells[{index}].textContent)"
        )
        return texts

    def said(self) -> str:
        """Return what the live region says."""
        return self.tab.locator("#shown").inner_text()

    def background(self) -> str:
        """Return the colour behind everything."""
        return str(self.tab.evaluate("getComputedStyle(document.body).backgroundColor"))
