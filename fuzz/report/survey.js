"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, classes = "", text = "") => {
    const element = document.createElement(tag);
    if (classes) element.className = classes;
    if (text !== "") element.textContent = text;
    return element;
  };
  const letters = Object.values(data.states);
  const words = Object.fromEntries(Object.entries(data.states).map(([word, letter]) => [letter, word]));
  const signs = { w: "≠", e: "≠", f: "~", r: "!", x: "×", o: "!", u: "?", b: "=", a: "=", n: "·", c: "np", m: "" };
  const names = data.topics.flatMap(([, listed]) => listed);
  const position = new Map(names.map((name, index) => [name, index]));
  const worst = (given) => letters.find((letter) => given.includes(letter));
  const libraries = data.libraries.map((row) => {
    const modes = Object.keys(row.modes);
    const given = names.map((_, index) => modes.map((mode) => row.modes[mode][index]));
    return { ...row, modes, given, states: given.map(worst) };
  });
  const table = byId("table"), input = byId("filter"), topic = byId("topic");
  let states = new Set(), columns = new Set();

  // The table is made once; filters hide rows and columns.
  const head = make("tr");
  head.append(make("th", "", "name"));
  libraries.forEach((library, index) => {
    const cell = make("th", `c${index}`);
    cell.scope = "col";
    cell.append(make("span", "", library.subject));
    head.append(cell);
  });
  table.tHead.append(head);

  const count = (library, index) => (library.calls[index] ? `, ${library.calls[index].toLocaleString("en")} calls` : "");

  const makeCell = (library, number, index) => {
    const state = library.states[index], given = library.given[index], name = names[index];
    const isMixed = new Set(given.filter((one) => one !== "n")).size > 1;
    const found = library.examples[name];
    const cell = make("td", `c${number}`), opens = found || library.refusals[name] || isMixed;
    const inner = make(opens ? "button" : "span", `of s-${state}${isMixed ? " mixed" : ""}`, signs[state] + (found && found.count > 1 ? found.count : ""));
    inner.title = `${name}, ${library.subject}: ${words[state]}${isMixed ? ", by mode" : ""}${count(library, index)}`;
    if (opens) {
      inner.setAttribute("aria-expanded", "false");
      inner.setAttribute("aria-label", inner.title);
      inner.dataset.library = number;
      inner.dataset.name = index;
    }
    cell.append(inner);
    return cell;
  };

  const rows = [];
  const bodies = data.topics.map(([title, listed]) => {
    const body = make("tbody"), first = make("tr", "topic-row"), cell = make("th");
    cell.colSpan = libraries.length + 1;
    cell.scope = "rowgroup";
    cell.append(make("span", "", title));
    first.append(cell);
    body.append(first);
    for (const name of listed) {
      const index = position.get(name), row = make("tr"), label = make("th"), link = make("a", "", name);
      label.scope = "row";
      label.title = name;
      link.href = `#${name}`;
      label.append(link);
      row.append(label, ...libraries.map((library, number) => makeCell(library, number, index)));
      body.append(row);
      rows.push({ row, index, topic: title });
    }
    return body;
  });
  table.append(...bodies);
  const style = make("style");
  document.head.append(style);

  const shownLibraries = () => libraries.filter((library) => !columns.size || columns.has(library.subject));

  const refresh = () => {
    const text = input.value.toLowerCase().split(/\s+/).filter(Boolean), shown = shownLibraries(), counts = new Map();
    let total = 0;
    close();
    for (const { row, index, topic: own } of rows) {
      const fits = text.every((word) => names[index].toLowerCase().includes(word)) && (!topic.value || topic.value === own);
      const found = shown.map((library) => library.states[index]);
      if (fits) for (const letter of found) counts.set(letter, (counts.get(letter) || 0) + 1);
      row.hidden = !fits || (states.size > 0 && !found.some((letter) => states.has(letter)));
      total += !row.hidden;
    }
    for (const body of bodies) body.hidden = !body.querySelector("tr:not(.topic-row):not([hidden])");
    style.textContent = libraries.map((library, index) => (shown.includes(library) ? "" : `.c${index} { display: none; }`)).join("");
    for (const chip of all("#states .chip")) {
      chip.querySelector("small").textContent = (counts.get(chip.dataset.value) || 0).toLocaleString("en");
      chip.setAttribute("aria-pressed", states.has(chip.dataset.value));
    }
    for (const chip of all("#columns .chip")) chip.setAttribute("aria-pressed", columns.has(chip.dataset.value));
    const isFiltered = text.length > 0 || states.size > 0 || columns.size > 0 || topic.value !== "";
    byId("status").textContent = `${total.toLocaleString("en")} of ${names.length.toLocaleString("en")} names, ${shown.length} of ${libraries.length} libraries`;
    byId("none").hidden = total > 0;
    byId("clear").hidden = !isFiltered;
  };

  const card = byId("card");
  let opened = null;
  function close() {
    if (!opened) return;
    card.hidden = true;
    opened.setAttribute("aria-expanded", "false");
    opened = null;
  }

  const list = (pairs) => {
    const element = make("dl");
    for (const [term, text] of pairs) if (text) element.append(make("dt", "", term), make("dd", "", text));
    return element;
  };

  const describe = (library, index) => {
    const name = names[index], found = library.examples[name], modes = make("p", "modes"), shut = make("button", "close", "Close");
    const refusals = Object.entries(library.refusals[name] || {});
    library.modes.forEach((mode, number) => {
      const letter = library.given[index][number];
      modes.append(make("span", `of s-${letter}`, `${mode}: ${words[letter]}`), " ");
    });
    shut.addEventListener("click", close);
    const parts = [shut, make("h3", "", `${name} in ${library.subject}${count(library, index)}`), modes];
    if (refusals.length) parts.push(list(refusals.map(([mode, text]) => [`${mode} gives`, text])));
    for (const one of found ? found.shown : []) {
      const part = make("section");
      const told = [one.kind, one.symptom !== one.kind && one.symptom, `${one.call_class} call`, one.modes.join(", "), one.reduced ? "" : "not reduced"];
      part.append(make("p", "soft", told.filter(Boolean).join(" · ")));
      part.append(list([["call", one.call], ["NumPy", one.expected], [library.subject, one.actual]]));
      parts.push(part);
    }
    if (found && found.count > found.shown.length) parts.push(make("p", "soft", `and ${found.count - found.shown.length} more that differ in another way`));
    return parts;
  };

  const open = (button) => {
    const library = libraries[button.dataset.library], index = Number(button.dataset.name), isSame = opened === button;
    close();
    if (isSame) return;
    card.replaceChildren(...describe(library, index));
    card.hidden = false;
    card.scrollTop = 0;
    button.setAttribute("aria-expanded", "true");
    opened = button;
    history.replaceState(null, "", `#${names[index]}/${library.subject}`);
  };

  // The fragment is a name, a name and a library, or filters, which works for files as well: #sort/torch, #q=sort&state=w
  const change = () => {
    const state = new URLSearchParams();
    if (input.value.trim()) state.set("q", input.value.trim());
    if (topic.value) state.set("topic", topic.value);
    for (const value of states) state.append("state", value);
    for (const value of columns) state.append("library", value);
    history.replaceState(null, "", state.size ? `#${state}` : "#names");
    refresh();
  };

  const read = () => {
    const text = decodeURIComponent(location.hash.slice(1)), [name, subject] = text.split("/");
    if (text.includes("=")) {
      const state = new URLSearchParams(location.hash.slice(1));
      input.value = state.get("q") || "";
      topic.value = state.get("topic") || "";
      states = new Set(state.getAll("state"));
      columns = new Set(state.getAll("library"));
    }
    refresh();
    const { row } = rows.find((one) => names[one.index] === name) || {};
    for (const other of all("tr.chosen", table)) other.classList.remove("chosen");
    if (!row) return;
    row.classList.add("chosen");
    const number = libraries.findIndex((library) => library.subject === subject);
    const button = number < 0 ? null : row.querySelector(`button[data-library="${number}"]`);
    if (button) open(button);
    row.scrollIntoView({ block: "center" });
  };

  const clear = () => {
    input.value = topic.value = "";
    states = new Set();
    columns = new Set();
    change();
    input.focus();
  };

  const toggle = (set) => (event) => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    if (!set().delete(chip.dataset.value)) set().add(chip.dataset.value);
    change();
  };
  byId("states").addEventListener("click", toggle(() => states));
  byId("columns").addEventListener("click", toggle(() => columns));
  input.addEventListener("input", change);
  topic.addEventListener("change", change);
  byId("clear").addEventListener("click", clear);
  byId("reset").addEventListener("click", clear);
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button.of");
    if (button) open(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== input && !event.ctrlKey && !event.metaKey) { event.preventDefault(); input.focus(); }
    if (event.key === "Escape") { if (opened) close(); else if (event.target === input) clear(); }
  });
  window.addEventListener("hashchange", read);
  read();
})();
