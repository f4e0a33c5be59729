"""Pages for people, which load nothing from elsewhere."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from shoal.queries.service import html_pages

DOCUMENT = {
    "info": {"title": "<T>", "version": "1", "description": "a\n\nb"},
    "paths": {
        "/x/{y}": {
            "post": {
                "description": "<script>alert(1)</script>",
                "parameters": [{"name": "y", "in": "path", "schema": {"type": "string"}}],
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Z"}}}
                },
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"type": "object"}}}},
                    "404": {},
                },
            }
        }
    },
    "components": {"schemas": {"Z": {"type": "object"}}},
}


class Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "action")]


def test_nothing_is_loaded_from_elsewhere_and_nothing_else_runs() -> None:
    for page in (html_pages.about(), html_pages.docs(DOCUMENT)):
        seen = Seen()
        seen.feed(page)
        assert not {"link", "img", "iframe", "object", "style src"} & set(seen.tags)
        assert seen.tags.count("script") == seen.links.count("docs.js") == (page != html_pages.about())
        assert not re.search(r"\son\w+=", page)
        assert not [link for link in seen.links if re.match(r"\w+:|//", link)]
        assert "url(" not in page + html_pages.script() and "@import" not in page


def test_the_docs_list_every_address_and_form() -> None:
    page = html_pages.docs(DOCUMENT)
    for part in ("POST", "/x/{y}", "y (path)", 'href="#Z"', 'id="Z"', "&lt;T&gt;", "&lt;script&gt;"):
        assert part in page


def test_every_address_can_be_tried_with_an_example_of_its_body() -> None:
    page = html_pages.docs(DOCUMENT)
    assert 'data-path="/x/{y}" data-method="POST" data-kind="application/json"' in page
    assert '<input name="y" data-in="path">' in page and "<textarea" in page


def test_an_example_has_what_must_be_there() -> None:
    z = {
        "type": "object",
        "required": ["sql", "epsilon", "rows"],
        "properties": {
            "sql": {"type": "string"},
            "epsilon": {"anyOf": [{"type": "number"}, {"type": "string"}]},
            "rows": {"type": "array", "items": {"type": "integer"}},
            "more": {"type": "string"},
        },
    }
    document = {**DOCUMENT, "components": {"schemas": {"Z": z}}}
    shown = re.search(r"<textarea[^>]*>(.*?)</textarea>", html_pages.docs(document), re.DOTALL)
    assert shown is not None
    found = json.loads(shown[1].replace("&quot;", '"'))
    assert found == {"sql": "", "epsilon": 0.1, "rows": [1]}


def test_a_form_that_names_itself_has_an_end() -> None:
    z = {"type": "object", "required": ["z"], "properties": {"z": {"$ref": "#/components/schemas/Z"}}}
    assert html_pages.docs({**DOCUMENT, "components": {"schemas": {"Z": z}}})


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to run the script")
def test_the_script_puts_parameters_where_they_belong() -> None:
    told = """
    const { addressOf, shownOf } = require("./docs.js");
    console.log(JSON.stringify([
      addressOf("/d/{name}/x", [{in: "path", name: "name", value: "a/b?c"},
        {in: "query", name: "n", value: "1&2"}, {in: "query", name: "none", value: ""}]),
      shownOf(200, "application/json", '{"a":1}'), shownOf(500, "text/plain", "<b>"),
      shownOf(200, "json", "{"),
    ]));
    """
    folder = html_pages.__file__.rpartition("/")[0]
    command = ["node", "-e", told]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=True, text=True)
    assert json.loads(done.stdout) == ["/d/a%2Fb%3Fc/x?n=1%262", '200\n{\n "a": 1\n}', "500\n<b>", "200\n{"]
