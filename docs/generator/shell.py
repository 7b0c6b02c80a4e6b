"""The frame of an HTML page: the style, the header, the contents, and what little script there is."""

import functools
import pathlib

import jinja2

from .markdown import Rendered

HERE = pathlib.Path(__file__).parent
TEMPLATES = HERE / "templates"


@functools.lru_cache(maxsize=None)
def _template():
    made = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), trim_blocks=True, lstrip_blocks=True,
                              undefined=jinja2.StrictUndefined, autoescape=False)
    return made.get_template("page.html.j2")


@functools.lru_cache(maxsize=None)
def _text(name):
    return (HERE / name).read_text(encoding="utf-8").strip()


@functools.lru_cache(maxsize=None)
def style(of_pictures: str) -> str:
    """The sheet of a page whose pictures bring these rules."""
    return _text("style.css") + ("\n/* Pictures */\n" + of_pictures.strip() if of_pictures else "")


def script() -> str:
    return _text("page.js")


def framed(page: Rendered, footer: str, picture_rules="", assets=None, home="", section="", description="",
           navigation=(), previous=None, following=None) -> str:
    """The whole HTML file. Style and script are in it, unless `assets` says where the folder is that has them."""
    headings = [h for h in page.headings if 2 <= h.level <= 3]
    own = {"style": style(picture_rules), "script": script()} if assets is None else {"style": "", "script": ""}
    return _template().render(title=page.title, body=page.body, headings=headings, assets=assets, footer=footer,
                              home=home, section=section, description=description, navigation=navigation,
                              previous=previous, next=following, **own)
