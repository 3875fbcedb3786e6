"""How Sphinx builds the site: `scripts/docs`."""

from __future__ import annotations

import sys
from pathlib import Path

import hlta

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "hlta"
author = copyright = "The hlta authors"  # noqa: A001
version = release = hlta.__version__

extensions = [
    "command_line",
    "demo_page",
    "method_numbers",
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
]
exclude_patterns = ["_build", "paper"]
templates_path = ["_templates"]
default_role = "py:obj"  # in docstrings, `Topic` leads to its page; other code stays code
highlight_language = "text"

# ---- pages: Markdown, whose links work on the repository's web view, too -------------------------

myst_enable_extensions = ["html_image"]  # <img>, which has a width, is copied and checked, too
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_ipywidgets_js: dict[str, dict[str, str]] = {}  # nothing from the network

# ---- docstrings -----------------------------------------------------------------------------------

autosummary_generate = True
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_default_options = {
    "members": True,
    "inherited-members": "TransformerMixin,BaseEstimator,AnyWidget,BaseException,object,tuple",
    "exclude-members": (  # scikit-learn's, whose docstrings lead to pages that are not here
        "get_metadata_routing,set_fit_request,set_partial_fit_request,set_predict_request,"
        "set_score_request,set_transform_request,set_output"
    ),
}
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"
python_maximum_signature_line_length = 88
# Backticks in docstrings quote all sorts of code; of types, only the public ones have a page.
nitpick_ignore_regex = [("py:obj", ".*"), ("py:class", r"(?!hlta\.\w+$).*")]

# ---- looks ----------------------------------------------------------------------------------------

html_theme = "pydata_sphinx_theme"
html_title = "hlta"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_prev_next": True,
    "pygments_light_style": "tango",
}
html_sidebars: dict[str, list[str]] = {"index": []}
