"""Pages for people, which load nothing from elsewhere."""

import re
from html.parser import HTMLParser

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


def test_nothing_is_loaded_from_elsewhere_and_nothing_runs() -> None:
    for page in (html_pages.about(), html_pages.docs(DOCUMENT)):
        seen = Seen()
        seen.feed(page)
        assert not {"script", "link", "img", "iframe", "object", "form"} & set(seen.tags)
        assert not [link for link in seen.links if re.match(r"\w+:|//", link)]
        assert "url(" not in page and "@import" not in page


def test_the_docs_list_every_address_and_form() -> None:
    page = html_pages.docs(DOCUMENT)
    for part in ("POST", "/x/{y}", "y (path)", 'href="#Z"', 'id="Z"', "&lt;T&gt;", "&lt;script&gt;"):
        assert part in page
