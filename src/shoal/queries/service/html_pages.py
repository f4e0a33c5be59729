"""The two pages for people: what this is, and what may be sent. Neither loads anything from elsewhere.

What may be sent can be tried on the page itself, by one small script of ours (`docs.js`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
body{color:#1b2b34;background:#fff}
h1{font-size:1.6rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}code,pre{font:14px/1.45 ui-monospace,monospace}
pre{background:#f2f5f7;padding:.8rem;overflow:auto;border-radius:4px}b{color:#0b5c7a}
form{border-left:3px solid #c9d6dc;padding-left:.8rem;margin:.6rem 0}output{display:block}
input,textarea,button{font:14px/1.45 ui-monospace,monospace;margin:.1rem .6rem .1rem 0}textarea{width:100%}
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
    parts.append(
        "<p>To try it here, paste your token. It stays in this field and goes to this service only: "
        '<input id="token" type="password" autocomplete="off" size="50" aria-label="token"></p>'
        "<p>What is sent from here is sent for good: a question costs what it says.</p>"
    )
    schemas = document["components"]["schemas"]
    for path, methods in document["paths"].items():
        parts += [_operation(path, method, told, schemas) for method, told in methods.items()]
    parts.append("<h1>Forms</h1>")
    for name, schema in sorted(document["components"]["schemas"].items()):
        shown = escape(json.dumps(schema, indent=1, ensure_ascii=False))
        parts.append(f'<h2 id="{escape(name)}">{escape(name)}</h2><pre>{shown}</pre>')
    parts.append('<script src="docs.js"></script>')
    return _page("Shoal queries: what may be sent", "\n".join(parts))


def script() -> str:
    """What the page runs."""
    return (Path(__file__).parent / "docs.js").read_text("utf-8")


def _operation(path: str, method: str, told: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
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
    return f"{head}<p>{escape(told.get('description', ''))}</p><table>{cells}</table>" + _form(
        path, method, told, schemas
    )


def _form(path: str, method: str, told: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Fields for what an address takes, and a place for what comes back."""
    names = [(escape(part["name"]), escape(part["in"])) for part in told.get("parameters", ())]
    fields = [f'<label>{name} <input name="{name}" data-in="{place}"></label>' for name, place in names]
    content = told.get("requestBody", {}).get("content", {})
    kind = next(iter(content), "")
    if kind:
        example = _example(content[kind]["schema"], schemas)
        text = example if isinstance(example, str) else json.dumps(example, indent=1, ensure_ascii=False)
        lines = text.count("\n") + 1
        fields.append(f'<textarea rows="{lines}" spellcheck="false">{escape(text)}</textarea>')
    return (
        f'<form data-path="{escape(path)}" data-method="{escape(method.upper())}" data-kind="{escape(kind)}">'
        f"{''.join(fields)}<button>send</button><output><pre></pre></output></form>"
    )


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any], depth: int = 0) -> Any:
    """Something of the form, to begin with: what must be there, and nothing else."""
    if "$ref" in schema:
        return _example(schemas.get(schema["$ref"].rpartition("/")[2], {}), schemas, depth)
    for word in ("oneOf", "anyOf"):
        if schema.get(word):
            return _example(schema[word][0], schemas, depth)
    match schema.get("type"):
        case "object" if depth < 4:
            known = schema.get("properties", {})
            return {name: _example(known[name], schemas, depth + 1) for name in schema.get("required", ())}
        case "array" if depth < 4 and schema.get("minItems", 1):
            return [_example(schema.get("items", {}), schemas, depth + 1)]
        case "number" | "integer":
            return max(1, schema.get("minimum", 1)) if schema.get("type") == "integer" else 0.1
        case "string":
            return ""
    return None


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
