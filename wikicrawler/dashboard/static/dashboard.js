"use strict";
// The pages work without this file. It shows times in the viewer's zone, adds the CSRF token to
// requests of htmx, filters lists while one types, and keeps the focus where it was.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
const pad = (value) => String(value).padStart(2, "0");

function localise(root) {
  for (const time of root.querySelectorAll("time[datetime]:not([data-local])")) {
    const at = new Date(time.getAttribute("datetime"));
    if (Number.isNaN(at.getTime())) continue;
    const withSeconds = /\d\d:\d\d:\d\d/.test(time.textContent);
    const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
    const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}`;
    time.textContent = `${day} ${clock}${withSeconds ? `:${pad(at.getSeconds())}` : ""}`;
    time.setAttribute("data-local", "");
  }
}

function dropFiles(area) {
  const input = area.querySelector("input[type=file]");
  if (!input) return;
  area.addEventListener("dragover", (event) => {
    event.preventDefault();
    area.classList.add("dragged");
  });
  area.addEventListener("dragleave", () => area.classList.remove("dragged"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    area.classList.remove("dragged");
    if (event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
}

function sayBusy(form) {
  const text = form.getAttribute("data-busy");
  const place = document.getElementById("message");
  if (!text || !place) return;
  const said = document.createElement("p");
  said.className = "message";
  said.textContent = text;
  place.replaceChildren(said);
}

// Pages have six connections to a server together: streams of hidden pages end until they are seen.
const streams = new Set();
if (window.htmx) {
  window.htmx.createEventSource = (url) => {
    const source = new EventSource(url);
    streams.add(source);
    if (document.hidden) source.close();
    return source;
  };
}
document.addEventListener("visibilitychange", () => {
  for (const source of streams) {
    if (document.hidden) {
      source.close();
    } else if (source.readyState === EventSource.CLOSED) {
      streams.delete(source);
      if (source.onerror) source.onerror(new Event("error")); // htmx connects again
    }
  }
});

document.addEventListener("DOMContentLoaded", () => {
  localise(document);
  const shown = document.getElementById("zone");
  if (shown) shown.textContent = zone;
  document.querySelectorAll("[data-drop]").forEach(dropFiles);
  for (const input of document.querySelectorAll("[data-zone]")) input.value = zone;
  for (const name of document.querySelectorAll("[data-zone-name]")) name.textContent = zone;
  // A form that asks first, or a choice in it that does; then one that says what takes its time.
  document.addEventListener("submit", (event) => {
    const asking = [event.target, event.target.querySelector("input:checked[data-confirm]")];
    const question = asking.map((one) => one && one.getAttribute("data-confirm")).find(Boolean);
    if (question && !window.confirm(question)) event.preventDefault();
    else sayBusy(event.target);
  });
  // All boxes of a list by one.
  document.addEventListener("change", (event) => {
    const name = event.target.getAttribute && event.target.getAttribute("data-all");
    if (!name) return;
    for (const box of document.querySelectorAll("input[type=checkbox]")) {
      if (box.name === name) box.checked = event.target.checked;
    }
  });
});

document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector("meta[name=csrf]");
  if (token && event.detail.verb !== "get") event.detail.headers["X-CSRF-Token"] = token.content;
});
document.addEventListener("htmx:afterSettle", (event) => localise(event.target));
document.addEventListener("htmx:sseMessage", (event) => localise(event.target));
