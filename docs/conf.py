"""Settings of the documentation site; ``make docs`` builds it from the repository's own folder.

So every relative link of a page leads to the same file on the site as in the repository: to an example's README, to the
changelog, to a picture.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ordbo_cli import __version__

sys.path.insert(0, str(Path(__file__).parent / "_site"))

project = "ordbo"
author = copyright = "The ordbo authors"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_copybutton",
    "pages",  # _site/pages.py: what the site shows and a reader of the repository does not
]
root_doc = "docs/index"
include_patterns = ["docs/**", "examples/*/README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
exclude_patterns = [".*", "build", "dist", "ordbo_cli", "tests", "docs/_*"]
nitpicky = True
# Names of other packages, whose own documentation is not looked into: a build needs no network.
nitpick_ignore_regex = [
    (r"py:.*", r"(numpy|np|pathlib|collections|enum|types|typing|decimal|pandas|pd|matplotlib)\..*"),
    (r"py:.*", r"(Callable|tuple)\[.*"),
    (r"py:.*", r"(Path|optional|Callable|Mapping|Sequence|Iterable|Iterator|Any|Literal|[A-Z])"),
]

myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False
smartquotes = False
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = f"ordbo {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_root"]  # the way from the site's own address to its first page
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#00629a"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#7cc4ee"},
}
