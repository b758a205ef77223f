"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const make = (tag, className, ...children) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    element.append(...children);
    return element;
  };

  // --- copying -------------------------------------------------------------------------------------------------
  const say = (text) => { byId("said").textContent = text; };

  const copyBySelection = (text) => {
    const area = make("textarea", "unseen");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  };

  const copy = async (text, button) => {
    let done = true;
    try { await navigator.clipboard.writeText(text); } catch { done = copyBySelection(text); }
    const before = button.textContent;
    button.textContent = done ? "Copied" : "Not copied";
    button.dataset.done = done;
    say(button.textContent);
    setTimeout(() => { button.textContent = before; }, 1600);
  };

  const copyButton = (label, text) => {
    const button = make("button", "copy", label);
    button.addEventListener("click", () => copy(text, button));
    return button;
  };

  for (const button of all("button.copy[data-text]")) button.addEventListener("click", () => copy(button.dataset.text, button));

  // --- a finding's body, made when it is opened ------------------------------------------------------------------
  const renderElements = (form) => {
    const differs = new Set(form.differs || []), row = form.shape.at(-1) || 1, box = make("div", "elements");
    if (form.start) box.append(make("span", "soft", `${form.start} before `));
    (form.elements || []).forEach((text, place) => {
      const index = form.start + place;
      if (form.shape.length > 1 && index % row === 0 && place) box.append(make("br"));
      const element = make(differs.has(index) ? "mark" : "span", "", text);
      box.append(element, " ");
    });
    const left = form.size - form.start - (form.elements || []).length;
    if (left > 0) box.append(make("span", "soft", `and ${left} more`));
    if (!form.size) box.append(make("span", "soft", "no elements"));
    return box;
  };

  // What differs from the other side is marked: elements, a dtype, a shape, what it is at all.
  const noted = (text, differs) => make(differs ? "mark" : "span", "", text);
  const written = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

  const renderForm = (form, other, title = "") => {
    const is = (key) => other !== undefined && other.form !== "error" && String(form[key]) !== String(other[key]);
    if ("size" in form) {
      const label = make("span", "soft", title, noted(form.dtype, is("dtype")), " ");
      label.append(form.form === "scalar" ? "scalar" : noted(written(form.shape), is("shape")));
      return make("div", "form", label, renderElements(form));
    }
    if (form.items) {
      const what = `${form.form} of ${form.items.length}`, box = make("div", "form", make("span", "soft", title, noted(what, is("form"))));
      form.items.forEach((item, index) => box.append(renderForm(item, other?.items?.[index], `${item.key ?? index}: `)));
      return box;
    }
    const differs = form.form === "object" && is("text");
    return make("pre", form.form === "error" ? "error" : "", title, noted(form.text, differs));
  };

  const renderAgreement = (groups) => {
    const line = make("p", "agreement");
    groups.forEach((group, index) => {
      if (index) line.append(make("span", "soft", " ≠ "));
      line.append(make("span", index ? "group" : "group fine", group.join(" = ")));
    });
    return line;
  };

  const renderSides = (row) => {
    const { outputs } = row, sides = make("div", "sides");
    if (!outputs) {
      sides.append(make("div", "one", make("pre", "", row.detail)));
      return sides;
    }
    const { expected, actual, mode } = outputs;
    const side = (title, form, other) => make("div", "", make("h4", "", title), renderForm(form, other));
    sides.append(side("NumPy", expected, actual), side(`${data.subject}, ${mode}`, actual, expected));
    return sides;
  };

  const link = (href, text) => {
    const anchor = make("a", "", text);
    anchor.href = href;
    return anchor;
  };

  const renderBody = (card) => {
    const row = data.findings[card.id], body = card.querySelector(".body");
    if (body.dataset.made) return;
    body.dataset.made = "yes";
    const tools = make("div", "tools");
    if (row.issue.length) tools.append(copyButton("Copy issue", row.issue[0] + row.script.trimEnd() + row.issue[1]));
    if (row.script) tools.append(copyButton("Copy script", row.script));
    if (row.text) tools.append(copyButton("Copy case", row.text));
    tools.append(copyButton("Copy command", row.replay), link(row.case, "case"));
    if (row.repro) tools.append(link(row.repro, "script"));
    tools.append(link(`#${card.id}`, "link"), make("span", "soft", `${card.id} · ${row.dtype} · seen ${row.count}×${row.first_seen ? `, first ${row.first_seen}` : ""}`));
    body.replaceChildren();
    if (row.outputs) body.append(renderAgreement(row.outputs.agreement));
    body.append(renderSides(row));
    if (row.outputs) body.append(make("p", "detail", row.detail));
    if (row.message) body.append(make("details", "source", make("summary", "", "Whole message"), make("pre", "", row.message)));
    if (row.script) {
      const source = make("details", "source", make("summary", "", "Script"), make("pre", "", row.script));
      body.append(source);
    }
    body.append(tools, make("p", "command", make("code", "", row.replay)));
  };

  const cards = all(".finding"), causes = all(".cause");
  for (const card of cards) {
    card.addEventListener("toggle", () => { if (card.open) renderBody(card); });
  }
  for (const cause of causes) {
    cause.addEventListener("toggle", () => {
      const inner = all(".finding", cause);
      if (cause.open && inner.length === 1) inner[0].open = true;
    });
    if (cause.open) for (const card of all(".finding", cause)) card.open = true;
  }

  // --- filters ----------------------------------------------------------------------------------------------------
  const facets = { status: new Set(), kind: new Set(), call_class: new Set(), mode: new Set(), dtype: new Set(), topic: new Set() };
  const input = byId("filter");
  const values = (row, facet) => ({ status: [row.status], kind: [row.kind], call_class: [row.call_class], mode: row.modes, dtype: row.dtype.split("+"), topic: [row.topic] })[facet];
  const rows = cards.map((card) => data.findings[card.id]);
  for (const row of rows) row.words = [row.name, row.kind, row.detail, row.minimal, row.dtype, row.topic, row.id, row.cause, row.status, ...row.modes].join(" ").toLowerCase();
  let linked = "";

  const misses = (row, words) => {
    const missed = [];
    if (!words.every((word) => row.words.includes(word))) missed.push("words");
    for (const [facet, chosen] of Object.entries(facets)) {
      if (chosen.size && !values(row, facet).some((value) => chosen.has(value))) missed.push(facet);
    }
    return missed;
  };

  const countFacets = (missed) => {
    for (const group of all(".chips")) {
      const { facet } = group.dataset, counts = new Map();
      rows.forEach((row, index) => {
        if (missed[index].every((one) => one === facet)) for (const value of values(row, facet)) counts.set(value, (counts.get(value) || 0) + 1);
      });
      for (const chip of all(".chip", group)) {
        const count = counts.get(chip.dataset.value) || 0;
        chip.querySelector("small").textContent = count;
        chip.classList.toggle("without", !count);
        chip.setAttribute("aria-pressed", facets[facet].has(chip.dataset.value));
      }
    }
    const chosen = [...facets.mode, ...facets.dtype, ...facets.topic];
    byId("chosen").textContent = chosen.length ? `: ${chosen.join(", ")}` : "";
  };

  const refresh = () => {
    if (!input) return;
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const missed = rows.map((row) => misses(row, words));
    let shown = 0;
    cards.forEach((card, index) => {
      card.hidden = missed[index].length > 0 && card.id !== linked;
      shown += !card.hidden;
    });
    let open = 0;
    for (const cause of causes) {
      const inner = all(".finding", cause), left = inner.filter((card) => !card.hidden).length;
      cause.hidden = !left && cause.id !== linked;
      open += !cause.hidden;
      const count = cause.querySelector(".count"), names = new Set(inner.map((card) => data.findings[card.id].name)).size;
      count.textContent = left < inner.length ? `${left} of ${inner.length}` : names > 1 ? `${names} names` : "";
    }
    const isFiltered = words.length || Object.values(facets).some((chosen) => chosen.size);
    byId("status").textContent = isFiltered
      ? `${shown} of ${plural(cards.length, "finding")} in ${open} of ${plural(causes.length, "cause")}`
      : `${plural(cards.length, "finding")} of ${plural(causes.length, "cause")}`;
    byId("none").hidden = shown > 0;
    byId("clear").hidden = !isFiltered;
    countFacets(missed);
  };

  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

  // The state is in the fragment, which works for files as well: #q=sort&kind=value&mode=xla, or #f-0123456789.
  const write = () => {
    const state = new URLSearchParams();
    if (input.value.trim()) state.set("q", input.value.trim());
    for (const [facet, chosen] of Object.entries(facets)) for (const value of chosen) state.append(facet, value);
    if (byId("sort").value) state.set("sort", byId("sort").value);
    history.replaceState(null, "", state.size ? `#${state}` : "#findings");
  };

  const change = () => { linked = ""; write(); refresh(); };

  const read = () => {
    const fragment = decodeURIComponent(location.hash.slice(1));
    if (/^[fc]-[0-9a-f]+$/.test(fragment)) return show(fragment);
    linked = "";
    if (fragment.includes("=")) {
      const state = new URLSearchParams(location.hash.slice(1));
      input.value = state.get("q") || "";
      for (const facet of Object.keys(facets)) facets[facet] = new Set(state.getAll(facet));
      if (orders[state.get("sort")]) { byId("sort").value = state.get("sort"); sort(); }
      byId("findings").scrollIntoView();
      if (["mode", "dtype", "topic"].some((facet) => facets[facet].size)) document.querySelector(".more").open = true;
    }
    refresh();
  };

  const show = (id) => {
    const target = byId(id);
    if (!target) return refresh();
    linked = id;
    refresh();
    const cause = target.closest(".cause");
    cause.open = true;
    target.open = true;
    if (target.classList.contains("finding")) renderBody(target);
    requestAnimationFrame(() => {
      target.scrollIntoView();
      target.querySelector("summary").focus({ preventScroll: true });
    });
  };

  // --- the order of causes -----------------------------------------------------------------------------------------
  const orders = {
    count: (one, other) => other.dataset.count - one.dataset.count,
    name: (one, other) => one.dataset.name.localeCompare(other.dataset.name),
    newest: (one, other) => other.dataset.newest.localeCompare(one.dataset.newest),
  };

  const sort = () => {
    const order = orders[byId("sort").value];
    byId("causes").append(...(order ? [...causes].sort(order) : causes)); // the order of the page is that of severity
  };

  const toggle = (facet, value, only = false) => {
    const chosen = facets[facet];
    if (only) facets[facet] = new Set([value]);
    else if (!chosen.delete(value)) chosen.add(value);
  };

  const clear = () => {
    input.value = "";
    for (const facet of Object.keys(facets)) facets[facet] = new Set();
    change();
    input.focus();
  };

  if (input) {
    input.addEventListener("input", change);
    for (const chip of all(".chip")) {
      chip.addEventListener("click", () => { toggle(chip.closest(".chips").dataset.facet, chip.dataset.value); change(); });
    }
    byId("sort").addEventListener("change", () => { sort(); change(); });
    byId("clear").addEventListener("click", clear);
    byId("reset").addEventListener("click", clear);
    byId("fold").addEventListener("click", (event) => {
      const open = event.target.getAttribute("aria-pressed") !== "true";
      event.target.setAttribute("aria-pressed", open);
      event.target.textContent = open ? "Close all" : "Open all";
      for (const cause of causes) cause.open = open;
    });
    document.addEventListener("keydown", (event) => {
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) { event.preventDefault(); input.focus(); }
      if (event.key === "Escape" && event.target === input) clear();
    });
    const controls = byId("controls");
    new ResizeObserver(() => {
      const height = getComputedStyle(controls).position === "sticky" ? controls.offsetHeight : 0;
      document.documentElement.style.setProperty("--bar", `${height + 12}px`);
    }).observe(controls);
  }

  // --- the map ----------------------------------------------------------------------------------------------------
  const chooseCell = (topic, mode, name = "") => {
    facets.topic = new Set(topic ? [topic] : []);
    facets.mode = new Set([mode]);
    facets.kind = new Set();
    facets.dtype = new Set();
    input.value = name;
    change();
    document.querySelector(".more").open = true;
    byId("findings").scrollIntoView();
    byId("findings").focus({ preventScroll: true });
  };

  const rowOfName = (topic, name) => {
    const line = make("tr", "of-name"), head = make("th", "", make("code", "", name));
    head.scope = "row";
    line.append(head);
    for (const mode of data.modes) {
      const kind = (data.worst[name] || {})[mode], cell = make("td");
      if (kind) {
        const button = make("button", `cell kind-${kind.replaceAll(" ", "-")}`, kind);
        button.addEventListener("click", () => chooseCell(topic, mode, name));
        cell.append(button);
      } else cell.append(make("span", (data.asked[name] || []).includes(mode) ? "cell fine" : "cell none", (data.asked[name] || []).includes(mode) ? "agrees" : "–"));
      line.append(cell);
    }
    line.append(make("td", "wide"));
    return line;
  };

  for (const line of all("#heat tbody tr[data-topic]")) {
    const { topic } = line.dataset;
    for (const button of all("button.cell", line)) button.addEventListener("click", () => chooseCell(topic, button.dataset.mode));
    const unfold = line.querySelector(".unfold");
    if (!unfold) continue;
    unfold.addEventListener("click", () => {
      const open = unfold.getAttribute("aria-expanded") !== "true";
      unfold.setAttribute("aria-expanded", open);
      if (open) line.after(...data.names[topic].map((name) => rowOfName(topic, name)));
      else while (line.nextElementSibling?.classList.contains("of-name")) line.nextElementSibling.remove();
    });
  }

  // On paper every cause is open, and afterwards what was open.
  const folded = [];
  window.addEventListener("beforeprint", () => {
    folded.push(...[...causes, ...cards].filter((one) => !one.open));
    for (const one of folded) one.open = true;
    for (const card of cards) renderBody(card);
  });
  window.addEventListener("afterprint", () => { for (const one of folded.splice(0)) one.open = false; });

  window.addEventListener("hashchange", read);
  if (input) read();
})();
