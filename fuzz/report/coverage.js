"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const input = byId("filter"), fold = byId("fold");
  const rows = all("tr[data-state]").map((row) => ({ row, state: row.dataset.state, words: row.textContent.toLowerCase() }));
  const areas = all(".area");
  let states = new Set();

  const count = (number) => number.toLocaleString("en");

  const refresh = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean), counts = new Map();
    let shown = 0;
    for (const { row, state, words: text } of rows) {
      const fits = words.every((word) => text.includes(word));
      if (fits) counts.set(state, (counts.get(state) || 0) + 1);
      row.hidden = !fits || (states.size > 0 && !states.has(state));
      shown += !row.hidden;
    }
    const isFiltered = words.length > 0 || states.size > 0;
    for (const area of areas) {
      area.hidden = !area.querySelector("tr[data-state]:not([hidden])");
      if (isFiltered && shown <= 200) area.open = !area.hidden;
    }
    for (const chip of all(".chip")) {
      chip.querySelector("small").textContent = counts.get(chip.dataset.value) || 0;
      chip.setAttribute("aria-pressed", states.has(chip.dataset.value));
    }
    byId("status").textContent = isFiltered ? `${count(shown)} of ${count(rows.length)} names` : `${count(rows.length)} names`;
    byId("none").hidden = shown > 0;
    byId("clear").hidden = !isFiltered;
  };

  // The state is in the fragment, which works for files as well: #q=sort&state=absent
  const change = () => {
    const state = new URLSearchParams();
    if (input.value.trim()) state.set("q", input.value.trim());
    for (const value of states) state.append("state", value);
    history.replaceState(null, "", state.size ? `#${state}` : "#topics");
    refresh();
  };

  const read = () => {
    if (location.hash.includes("=")) {
      const state = new URLSearchParams(location.hash.slice(1));
      input.value = state.get("q") || "";
      states = new Set(state.getAll("state"));
    }
    refresh();
  };

  const clear = () => {
    input.value = "";
    states = new Set();
    change();
    input.focus();
  };

  input.addEventListener("input", change);
  for (const chip of all(".chip")) {
    chip.addEventListener("click", () => {
      if (!states.delete(chip.dataset.value)) states.add(chip.dataset.value);
      change();
    });
  }
  byId("clear").addEventListener("click", clear);
  byId("reset").addEventListener("click", clear);
  fold.addEventListener("click", () => {
    const open = fold.getAttribute("aria-pressed") !== "true";
    fold.setAttribute("aria-pressed", open);
    fold.textContent = open ? "Close all" : "Open all";
    for (const area of areas) area.open = open;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== input && !event.ctrlKey && !event.metaKey) { event.preventDefault(); input.focus(); }
    if (event.key === "Escape" && event.target === input) clear();
  });
  window.addEventListener("hashchange", read);
  read();
})();
