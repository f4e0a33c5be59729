// The page that lists what may be sent also sends it. Nothing is loaded from elsewhere and nothing is kept:
// the token is in its field until the page is closed.
"use strict";

// The address of an operation with its parameters in it.
function addressOf(path, parameters) {
  const query = new URLSearchParams();
  for (const part of parameters) {
    if (part.in === "path") path = path.replace("{" + part.name + "}", encodeURIComponent(part.value));
    else if (part.value !== "") query.append(part.name, part.value);
  }
  const text = query.toString();
  return text ? path + "?" + text : path;
}

// What came back, as people read it.
function shownOf(status, kind, text) {
  if (kind.includes("json")) {
    try {
      text = JSON.stringify(JSON.parse(text), null, 1);
    } catch (error) {
      // as it is
    }
  }
  return status + "\n" + text;
}

async function send(form) {
  const shown = form.querySelector("output");
  const token = document.getElementById("token").value.trim();
  const inputs = [...form.querySelectorAll("input[data-in]")];
  const parameters = inputs.map((field) => ({ in: field.dataset.in, name: field.name, value: field.value }));
  const body = form.querySelector("textarea");
  const headers = token ? { Authorization: "Bearer " + token } : {};
  if (body) headers["Content-Type"] = form.dataset.kind;
  shown.textContent = "…";
  try {
    const reply = await fetch("." + addressOf(form.dataset.path, parameters), {
      method: form.dataset.method,
      headers: headers,
      body: body ? body.value : undefined,
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
    });
    shown.textContent = shownOf(reply.status, reply.headers.get("Content-Type") || "", await reply.text());
  } catch (error) {
    shown.textContent = "no reply";
  }
}

if (typeof document !== "undefined") {
  for (const form of document.querySelectorAll("form[data-path]")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      send(form);
    });
  }
}
if (typeof module !== "undefined") module.exports = { addressOf, shownOf };
