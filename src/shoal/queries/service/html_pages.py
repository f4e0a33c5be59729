"""The two pages for people: what this is, and what may be sent. Neither loads anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
body{color:#1b2b34;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}code,pre{font:14px/1.45 ui-monospace,monospace}
pre{background:#f2f5f7;padding:.8rem;overflow:auto;border-radius:4px}b{color:#0b5c7a}
table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0;vertical-align:top}
@media(prefers-color-scheme:dark){body{background:#11181c;color:#dfe7ea}pre{background:#1b252b}b{color:#7fd0ee}}
"""


def about() -> str:
    """What this service is."""
    return _page(
        "Shoal queries",
        """<h1>Shoal queries</h1>
<p>This service answers questions in SQL about private tables. Every answer has noise that hides each single
person, tells how large the noise is, and is paid for from a budget. When that is spent, there are no more
answers.</p>
<p>To ask, you need a token from the owner of the data. <a href="docs">What may be sent</a> ·
<a href="openapi.json">the same for programs</a></p>""",
    )


def docs(document: Mapping[str, Any]) -> str:
    """Every address with its method, what it takes and what it gives."""
    parts = [f"<h1>{escape(document['info']['title'])} {escape(document['info']['version'])}</h1>"]
    parts += [f"<p>{escape(line)}</p>" for line in document["info"]["description"].split("\n\n")]
    parts.append(
        "<p>Every request needs the header <code>Authorization: Bearer TOKEN</code>. An error is always "
    )
    parts.append('<code>{"error": code, "detail": sentence}</code>.</p>')
    for path, methods in document["paths"].items():
        parts += [_operation(path, method, told) for method, told in methods.items()]
    parts.append("<h1>Forms</h1>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        shown = escape(json.dumps(schema, indent=1, ensure_ascii=False))
        parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2><pre>{shown}</pre>')
    return _page("Shoal queries: what may be sent", "\n".join(parts))


def _operation(path: str, method: str, told: Mapping[str, Any]) -> str:
    rows = []
    for parameter in told.get("parameters", ()):
        rows.append((f"{parameter['name']} ({parameter['in']})", _schema(parameter["schema"])))
    for kind, body in told.get("requestBody", {}).get("content", {}).items():
        rows.append((f"body, {kind}", _schema(body["schema"])))
    for status, response in sorted(told.get("responses", {}).items()):
        content = response.get("content", {}).get("application/json", {})
        rows.append((status, _schema(content.get("schema", {}))))
    cells = "".join(f"<tr><td>{escape(left)}</td><td>{right}</td></tr>" for left, right in rows)
    head = f"<h2><b>{escape(method.upper())}</b> <code>{escape(path)}</code></h2>"
    return f"{head}<p>{escape(told.get('description', ''))}</p><table>{cells}</table>"


def _schema(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    return f"<code>{escape(json.dumps(dict(schema), ensure_ascii=False))}</code>" if schema else ""


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body>{body}</body></html>"
    )
