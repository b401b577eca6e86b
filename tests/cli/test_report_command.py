"""``ordbo report`` from the command line: one page for studies of all sorts, and the numbers in it."""

from __future__ import annotations

import csv
import importlib.util
import json
import re
from collections.abc import Callable
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")
pytest.importorskip("jinja2")

Call = Callable[..., Any]

_VOID: Final = {"meta", "link", "input", "br", "hr", "img"}
_LOADS: Final = {"src", "href", "xlink:href", "srcset", "data", "poster", "action", "formaction", "background"}
_EDGE: Final = "angle: {type: float, min: 0, max: 12, step: 0.1}, blades: {type: int, min: 3, max: 9}"
_QUICK: Final = "method: {preset: default, iterations: 40}"


class Case(NamedTuple):
    """A study: the inside of ``parameters``, further settings of the problem, and the evaluations (None: no file)."""

    parameters: str
    settings: str
    rows: str | None
    objective: str = "name: drag, goal: minimize"


def _plane(rows: str, settings: str = "", head: str = "angle,blades,drag") -> Case:
    return Case(_EDGE, settings, f"{head}\n{rows}")


_SEVEN: Final = "0,3,9.5\n12,9,8\n3.1,4,0.5\n6,5,0.31\n7.5,6,5\n1.2,8,7\n9.9,7,4.25\n"
CASES: Final = {
    "no file": Case(_EDGE, "", None),
    "no rows": _plane(""),
    "one row": _plane("1,4,3\n"),
    "two rows": _plane("1,4,3\n2,5,2.0\n"),
    "plain": _plane(_SEVEN),
    "all failed": _plane("0,3,failed\n12,9,nan\n3,4,****\n6,5,failed\n7,6,failed\n8,3,failed\n"),
    "all tied": _plane("".join(f"{x},{3 + x},1.5\n" for x in range(7))),
    "failures": _plane(_SEVEN + "2,6,failed\n11,8,nan\n"),
    "failed: ignore": _plane(_SEVEN + "2,6,failed\n", "failed: ignore"),
    "failed: error": _plane(_SEVEN + "2,6,failed\n", "failed: error"),
    "one parameter": Case("x: {min: -1, max: 1}", "", "x,drag\n-1,4\n1,5\n0,1\n0.4,0.5\n-0.3,2\n0.7,failed\n"),
    "int, log and fixed": Case(
        "n: {type: int, min: 1, max: 5}, k: {min: 1e-12, max: 1e12, scale: log, digits: 3}, f: {value: 7},"
        " s: {value: fine mesh}",
        "",
        "n,k,f,s,drag\n1,1e-12,7,fine mesh,4\n5,1e12,7,fine mesh,3\n"
        "2,1,7,fine mesh,2\n3,1e-3,7,fine mesh,1\n4,20,7,fine mesh,6\n5,1e5,7,fine mesh,7\n",
    ),
    "three": Case(
        "a: {min: 0, max: 1, unit: mm}, b: {min: 0, max: 1}, c: {min: 0, max: 1}, d: {min: 0, max: 1}",
        "",
        "a,b,c,d,drag\n" + "".join(f"0.{k},0.{3 * k % 10},0.{7 * k % 10},0.{k},{(k - 4) ** 2}\n" for k in range(10)),
    ),
    "names": Case(
        '"<script>alert(1)</script>": {min: 0, max: 1}, "$x_1$, & \'y\'": {min: 0, max: 1}, "θ 角": {min: 0, max: 1}',
        "",
        '<script>alert(1)</script>,"$x_1$, & \'y\'",θ 角,"a, <b>$z$</b>"\n'
        '0,0,0,4\n1,1,1,3\n0.2,0.4,0.3,2\n0.7,0.1,0.9,1\n0.5,0.5,0.5,0\n0.4,0.2,0.1,5\n',
        'name: "a, <b>$z$</b>", goal: minimize',
    ),
    "pending, retry, abandoned": _plane(
        "1,0,3,9.5,\n2,12,9,8,\n3,3.1,4,,pending\n4,6,5,,retry\n5,7.5,6,,abandoned\n6,1.2,8,7,\n7,9.9,7,4.25,\n8,5,5,6,\n9,2,3,2,\n",
        head="id,angle,blades,drag,status",
    ),
    "outside": _plane(_SEVEN + "-3,4,0.1\n40,12,-1\n"),
    "only outside": _plane("-3,4,0.1\n40,12,-1\n"),
    "set aside": Case(
        f"{_EDGE}, span: {{value: 2.0}}", "", "angle,blades,span,drag\n1,3,2,4\n2,4,9,-1\n3,5,2,2\n9,9,2,3\n"
    ),
    "exhausted": Case("n: {type: int, min: 1, max: 3}", "", "n,drag\n1,3\n2,1\n3,2\n"),
    "maximize": Case(_EDGE, "", f"angle,blades,lift\n{_SEVEN}", "name: lift, goal: maximize, unit: kN"),
    "huge": _plane("0,3,1e400\n12,9,1e401\n3,4,1e-400\n6,5,-1e400\n7,6,inf\n8,3,1.00000000000000000001\n9,4,1\n"),
    "thompson": _plane(_SEVEN, "method: {preset: default, iterations: 40, acquisition: thompson}"),
    "noise": _plane(_SEVEN + "6,5,0.5\n6,5,0.2\n3.1,4,0.3\n", "noise: true"),
    "exhaustive": _plane(_SEVEN, "method: {preset: paper, iterations: 40}"),
}  # fmt: skip


class Parsed(HTMLParser):
    """A page: whether its elements nest, its table of evaluations, its facts, and what it would load."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []
        self.headers: list[str] = []
        self.rows: list[list[str]] = []
        self.keys: list[list[str | None]] = []
        self.facts: dict[str, tuple[str, str]] = {}
        self.headings: list[str] = []
        self.scripts = 0
        self._label, self._texts = "", [""]
        self._table = self._head = False
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        words = dict(attrs)
        self.loads += [value or "" for name, value in attrs if name in _LOADS]
        self.scripts += tag == "script"
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "table":
            self._table = words.get("id") == "table"
        self._head = tag == "thead" or (self._head and tag != "tbody")
        if self._table and tag == "tr" and not self._head:
            self.rows.append([])
            self.keys.append([])
        if tag in ("dt", "dd", "small", "td", "th", "h3"):
            self._texts.append("")
        if tag in ("td", "th") and self._table and not self._head:
            self.keys[-1].append(words.get("data-key"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element of an SVG that ends at once."""
        self.loads += [value or "" for name, value in attrs if name in _LOADS]

    def handle_endtag(self, tag: str) -> None:
        """Close an element: it must be the one that is open."""
        assert self.open.pop() == tag
        if tag == "small":
            self._small = self._texts.pop()
        elif tag == "dt":
            self._label, self._small = self._texts.pop(), ""
        elif tag == "dd":
            self.facts.setdefault(self._label, (self._texts.pop().strip(), self._small))
        elif tag == "h3":
            self.headings.append(self._texts.pop())
        elif tag in ("td", "th"):
            text = self._texts.pop().strip()
            if self._table:
                (self.headers if self._head else self.rows[-1]).append(text)
        self._table = self._table and tag != "table"

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self._texts[-1] += data


@pytest.fixture
def made(tmp_path: Path) -> Callable[[str], Path]:
    """Write a study of :data:`CASES` into a folder of its own."""

    def write(name: str) -> Path:
        case, folder = CASES[name], tmp_path / "study"
        folder.mkdir()
        settings = case.settings if "method" in case.settings else f"{case.settings}\n{_QUICK}"
        text = f"version: 1\nobjective: {{{case.objective}}}\nparameters: {{{case.parameters}}}\n{settings}\n"
        path = folder / "s.yaml"
        path.write_text(text, encoding="utf-8")
        if case.rows is not None:
            path.with_suffix(".csv").write_text(case.rows, encoding="utf-8")
        return path

    return write


@pytest.mark.parametrize("name", CASES)
def test_any_study_has_a_report(
    ordbo: Call, made: Callable[[str], Path], tmp_path: Path, digest: Callable[[Path], str], name: str
) -> None:
    """It parses, loads nothing, and agrees with the CSV, 'ordbo best' and 'ordbo suggest'; nothing is recorded."""
    path, page = made(name), tmp_path / "r.html"
    before = digest(path.parent)
    done = ordbo("report", path, "-o", page)
    assert done.status == 0, done.err
    assert digest(path.parent) == before
    text = page.read_text(encoding="utf-8")
    parsed = Parsed(text)
    assert [url for url in parsed.loads if not url.startswith(("#", "data:"))] == []
    assert re.search(r"https?:|//[a-z]+\.|url\((?!#|&quot;#|'#|\"#)|@import", text) is None
    assert parsed.scripts == 1
    _check_rows(parsed, path)
    assert any(label.startswith("Best by mean") for label in parsed.facts) == (name == "noise")
    _check_best(parsed, ordbo("best", path))
    _check_next(parsed, ordbo("suggest", path, "--dry-run"))


def _check_rows(parsed: Parsed, path: Path) -> None:
    """Each row of the CSV stands in the table with its numbers, by its line."""
    file = path.with_suffix(".csv")
    table = list(csv.reader(file.read_text(encoding="utf-8").splitlines())) if file.exists() else [[]]
    head, rows = table[0], table[1:]
    assert len(parsed.rows) == len(rows)
    assert parsed.headers[:5] == ["order", "id", "line", "status", "rank"]
    lines = {int(cells[2]): dict(zip(parsed.headers, cells, strict=True)) for cells in parsed.rows}
    assert sorted(lines) == list(range(2, len(rows) + 2))
    for line, row in enumerate(rows, 2):
        for column, value in zip(head, row, strict=True):
            shown = lines[line][column]
            if column == "status":
                assert shown.startswith(value or "ok")
            elif value in ("failed", "nan", "****"):
                assert (shown, lines[line]["status"]) == ("", "failed")
            elif value in ("", "inf") or not re.match(r"[-0-9]", value):
                assert shown.lower().startswith(value)
            else:
                assert Decimal(shown) == Decimal(value), column


def _check_best(parsed: Parsed, best: Any) -> None:
    """The summary's best is that of 'ordbo best', numbers to six digits."""
    (value, detail), *_ = [fact for label, fact in parsed.facts.items() if label.startswith("Best")]
    if best.status:
        assert value == "none yet"
        return
    found = json.loads(best.out)
    (objective,) = found["objective"].values()
    assert float(value) == pytest.approx(float(objective), rel=1e-5)
    for name, each in found["parameters"].items():
        assert f"{name} {each if isinstance(each, str) else f'{each:.6g}'}" in detail


def _check_next(parsed: Parsed, suggested: Any) -> None:
    """The summary's next point is what 'ordbo suggest' answers; where it refuses, so says the summary."""
    following = parsed.facts["Next"][0]
    if suggested.status:
        message = suggested.err.splitlines()[-2 if "hint: " in suggested.err else -1]
        message = message.removeprefix("error: ").removeprefix("exhausted: ")
        assert following == f"nothing: {message}"
        return
    for name, each in json.loads(suggested.out)["parameters"].items():
        assert f"{name} {each if isinstance(each, str) else f'{each:.6g}'}" in following


def test_objectives_sort_as_they_are(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """Values that doubles do not tell apart sort by what they are."""
    assert ordbo("report", made("huge"), "-o", tmp_path / "r.html").status == 0
    parsed = Parsed((tmp_path / "r.html").read_text(encoding="utf-8"))
    place = parsed.headers.index("drag")
    keys = {row[place]: float(key[place] or "nan") for row, key in zip(parsed.rows, parsed.keys, strict=True)}
    wanted = ["-1E+400", "1E-400", "1", "1.00000000000000000001", "1E+400", "1E+401", "Infinity"]
    assert sorted(keys, key=keys.__getitem__) == wanted
    assert len(set(keys.values())) == len(wanted)


def test_a_point_to_be_evaluated_again_comes_first(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """The summary says so, and the section on the next point that its pictures show what comes after."""
    ordbo("report", made("pending, retry, abandoned"), "-o", tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert Parsed(text).facts["Next"][0] == "angle 6, blades 5: again, as it is to be evaluated once more"
    assert "answers after the point that is to be evaluated again" in text
    assert "answers if nothing changes" not in text


def test_a_parameter_that_was_fixed_since(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """Steps from when it was free are listed without their cells, which are of other parameters."""
    study = made("three")
    assert ordbo("suggest", study).status == 0
    study.write_text(study.read_text().replace("d: {min: 0, max: 1}", "d: {min: 0.5, max: 0.5}"))
    page = tmp_path / "page.html"
    assert ordbo("report", study, "-o", page).status == 0
    assert "How the newest 1 suggestion came about" in page.read_text()


def test_pairs(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """Those that are asked for are shown and no others; by default those among three parameters."""
    path, page = made("three"), tmp_path / "r.html"

    def shown(*words: str) -> set[str]:
        assert ordbo("report", path, "-o", page, *words).status == 0
        headings = Parsed(page.read_text(encoding="utf-8")).headings
        return {text.split(": ")[1] for text in headings if re.match(r".*: ([abcd] .*|[abcd])$", text)}

    assert shown("--pair", "d,b") == {"d and b"}
    assert shown("--pair", "a,b", "--pair", "c, d") == {"a [mm] and b", "c and d"}
    assert len(shown()) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pair", "a,z"], "there is no free parameter 'z'"),
        (["--pair", "a,a"], "a parameter is named twice"),
        (["--pair", "a,b,c"], "3 parameters are named together"),
        (["--pair", ""], "there is no free parameter ''"),
        (["more.yaml"], "unexpected extra argument"),
    ],
)
def test_wrong_usage(ordbo: Call, made: Callable[[str], Path], tmp_path: Path, words: list[str], message: str) -> None:
    """Status 2, and no page."""
    refused = ordbo("report", made("three"), "-o", tmp_path / "r.html", *words)
    assert refused.status == 2
    assert message in refused.err.splitlines()[0]
    assert not (tmp_path / "r.html").exists()


def test_the_default_name(
    ordbo: Call, made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The study's name in the folder where one is; quiet says nothing of it."""
    path = made("no rows")
    monkeypatch.chdir(tmp_path)
    done = ordbo("report", path)
    assert (done.status, done.out, done.err) == (0, "", "report: s-report.html\n")
    assert Path("s-report.html").exists()
    assert ordbo("report", path, "-q").err == ""


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_told(
    ordbo: Call, made: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Which one, and how to get it."""
    there = importlib.util.find_spec
    monkeypatch.setattr("ordbo_cli.cli.options.find_spec", lambda name: None if name == package else there(name))
    refused = ordbo("report", made("no rows"))
    assert refused.status == 2
    assert refused.err == f"error: 'ordbo report' needs {package}\nhint: Install: pip install 'ordbo[plots]'\n"


def test_files_of_the_study_are_never_replaced(
    ordbo: Call, made: Callable[[str], Path], digest: Callable[[Path], str]
) -> None:
    """Problem, evaluations and state are refused as the page's place, under whatever path."""
    path = made("plain")
    ordbo("suggest", path)
    before = digest(path.parent)
    for suffix in (".yaml", ".csv", ".state.json"):
        target = path.parent / ".." / path.parent.name / f"s{suffix}"
        refused = ordbo("report", path, "-o", target)
        assert refused.status == 2
        assert "holds what it is made from: it would be lost" in refused.err
    assert digest(path.parent) == before


def test_an_output_that_cannot_be(
    ordbo: Call, made: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing folder is 66, a folder 2, a full disk 74; an old page is what it was."""
    path, page = made("no rows"), tmp_path / "r.html"
    assert ordbo("report", path, "-o", tmp_path / "nowhere" / "r.html").status == 66
    assert ordbo("report", path, "-o", tmp_path).status == 2
    page.write_bytes(b"old")

    def full(descriptor: int, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ordbo_cli.files.durable.atomic.os.write", full)
    refused = ordbo("report", path, "-o", page)
    assert (refused.status, refused.err) == (74, f"error: {page}: cannot write it: No space left on device\n")
    assert page.read_bytes() == b"old"


def test_a_device_is_written_to(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """A device or a pipe is never replaced by a file."""
    path, link = made("no rows"), tmp_path / "null.html"
    link.symlink_to("/dev/null")
    assert ordbo("report", path, "-o", link).status == 0
    assert Path("/dev/null").is_char_device()


def test_wrong_files(ordbo: Call, made: Callable[[str], Path], tmp_path: Path) -> None:
    """A missing problem is 66, evaluations that cannot be read are 65, a wrong problem is 78; no page is made."""
    path, page = made("plain"), tmp_path / "r.html"
    assert ordbo("report", path.with_name("t.yaml"), "-o", page).status == 66
    path.with_suffix(".csv").write_text("angle,blades,drag\n1,3,many\n")
    assert ordbo("report", path, "-o", page).status == 65
    path.write_text("version: 1\n")
    assert ordbo("report", path, "-o", page).status == 78
    assert not page.exists()
