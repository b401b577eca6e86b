"""What reads the pages finds every block, and every lie."""

from __future__ import annotations

import os
from pathlib import Path
from select import select

import pytest

from tests.docs.pages import File, PageError, Untried, agrees, follow, rewritten, steps_of
from tests.docs.stubs import STUBS, write_simulator, write_stubs

FENCE = "```"
PAGE = f"""\
# How do I greet?

Put this into `names/one.txt`:

{FENCE}yaml
World
{FENCE}

{FENCE}sh
name=$(cat names/one.txt)
echo "Hello, $name" && echo oops >&2
{FENCE}

It says

{FENCE}text
Hello, World
oops
{FENCE}

{FENCE}sh
echo "again, $name at $(date +%Y)"
{FENCE}

{FENCE}text
again, World at ...
{FENCE}
"""


def test_a_true_page(tmp_path: Path) -> None:
    """Files are written, all blocks share one shell, and what a page shows is compared with both streams."""
    followed = follow(PAGE, tmp_path, os.environ)
    assert (followed.lies, followed.failure) == ((), "")
    assert (tmp_path / "page" / "names" / "one.txt").read_text() == "World\n"


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("World\noops\n", "Word\noops\n"),
        ("World\noops\n", "World\n"),
        ("Hello, World\noops\n", ""),
        ("at ...\n", "at ...\nbye\n"),
        ("again, World at ...", "..., Word at ..."),
    ],
)
def test_a_lie_is_found(tmp_path: Path, true: str, false: str) -> None:
    """A wrong, a missing and an invented line are lies; a page that is written anew has none."""
    page = PAGE.replace(true, false)
    assert page != PAGE
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
    before = follow(page, tmp_path / "before", os.environ)
    assert len(before.lies) == 1
    after = follow(rewritten(page, before.outputs), tmp_path / "after", os.environ)
    assert (after.lies, after.failure) == ((), "")


def test_what_differs_each_time_is_written_as_a_wildcard() -> None:
    """Times that something took and the last digits of a long figure; what a line says of seconds itself stays."""
    page = f"{FENCE}sh\nls\n{FENCE}\n{FENCE}text\n{{}}\n{FENCE}\n"
    came = "1: within 2 s (2.11 s), (3 s), 0.05 s at most: 0.1234567890123, 0.25\n"
    lasting = "1: within 2 s (... s), (... s), ... s at most: 0.123..., 0.25"
    assert rewritten(page.format("old"), [came]) == page.format(lasting)
    assert agrees(lasting, came)


def test_a_command_that_fails_ends_the_page(tmp_path: Path) -> None:
    """The line of its block is told with what it printed, and what comes later is not tried."""
    followed = follow(PAGE.replace("echo oops >&2", "ls nowhere"), tmp_path, os.environ)
    assert followed.failure.startswith("line 9 ended with 2 and printed\nHello, World\n")
    assert "nowhere" in followed.failure
    assert len(followed.outputs) == 2


def test_nothing_is_left_in_the_background(tmp_path: Path) -> None:
    """What a page starts and forgets ends with it, and does not hold it up."""
    os.mkfifo(tmp_path / "held")
    end = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    followed = follow(f"{FENCE}sh\nexec 3>../held\nsleep 600 &\n{FENCE}\n", tmp_path, os.environ)
    assert followed.failure == ""
    assert select([end], [], [], 60)[0]
    assert os.read(end, 1) == b""
    os.close(end)


@pytest.mark.parametrize(
    "block",
    ["console\n$ ls\n", "text\nof nothing\n", "yaml\nversion: 1\n", "\n", "sh title\nls\n", "sh {1}\nls\n", "sh\nls"],
)
def test_a_block_that_would_go_untried(block: str) -> None:
    """It is an error, and so is a block without an end."""
    for fence in (FENCE, "~~~"):
        end = fence if block.endswith("\n") else ""
        with pytest.raises(PageError, match="line 1"):
            steps_of(f"{fence}{block}{end}\n")


def test_output_is_of_one_block() -> None:
    """A second one below the same commands would go unread."""
    with pytest.raises(PageError, match="line 7"):
        steps_of(f"{FENCE}sh\nls\n{FENCE}\n" + 2 * f"{FENCE}text\na\n{FENCE}\n")


def test_a_block_that_cannot_be_tried() -> None:
    """A comment says why; without a reason it is no such comment. What the site alone reads is nothing to try."""
    block = f"{FENCE}yaml\nversion: 1\n{FENCE}\n"
    assert steps_of(f"<!-- untried: it installs -->\n\n{block}") == (Untried(3, "it installs"),)
    with pytest.raises(PageError, match="line 2"):
        steps_of(f"<!-- untried: -->\n{block}")
    assert steps_of(f"<!-- site\n{FENCE}{{toctree}}\n:glob:\n{FENCE}\n-->\n") == ()


def test_a_simulator_of_the_readers_own(tmp_path: Path) -> None:
    """It stands in the page's folder as a program, and in its Python as a function."""
    (tmp_path / "page").mkdir()
    write_simulator(tmp_path / "page", tmp_path / "modules")
    page = (
        f"{FENCE}sh\n./simulate --angle=3.2 --blades=5 --re=1e5\n{FENCE}\n"
        f"{FENCE}text\ndrag = 0.2...\n{FENCE}\n"
        f"{FENCE}python\nprint(simulate(angle=3.2, blades=5, reynolds=1e5, wall='smooth'), 'it\\'s')\n{FENCE}\n"
        f"{FENCE}text\n0.0 it's\n{FENCE}\n"
    )
    followed = follow(page, tmp_path, {**os.environ, "PYTHONPATH": str(tmp_path / "modules")})
    assert (followed.lies, followed.failure) == ((), "")


def test_a_script_is_a_file() -> None:
    """Commands below a file's name are written, not run."""
    assert steps_of(f"The script `job.sh`:\n\n{FENCE}sh\nls\n{FENCE}\n") == (File(3, "job.sh", "ls\n"),)


@pytest.mark.parametrize(
    ("shown", "came", "same"),
    [
        ("a ... c", "a b c", True),
        ("a ... c", "a\nc", False),
        ("a\n...\nc", "a\nb\nb\nc", True),
        ("a\n...\nc", "a\nc", True),
        ("a.c", "abc", False),
        ("", "a", False),
        ("a", "a  \n\n", True),
        ("age  id\n...  1", "age   id\n12 s  1", True),
        ("ab", "a b", False),
    ],
)
def test_wildcards(shown: str, came: str, same: bool) -> None:
    """Dots stand for part of a line, or for whole lines; how many blanks there are is no matter."""
    assert agrees(shown, came) == same


def test_stubs_have_reasons(tmp_path: Path) -> None:
    """Each says why it is there, on the page of the list and in its own file."""
    folder = write_stubs(tmp_path / "bin")
    assert {path.name for path in folder.iterdir()} == STUBS.keys()
    assert all(stub.reason in (folder / name).read_text() for name, stub in STUBS.items())
