"use strict";
// The page of `matchpoint draw`. All text from the program goes into the page as text nodes, never as markup.
// A pane is a trace with the state at a step; step 0 is the initial state, step i the state behind entry i - 1.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const ROW = 22, HEAD = 10, CHARACTER = 7.3;
  // The fields of a row and of a message in the data.
  const [RHO, THREAD, SINCE, KIND, STATUS, IS_WAIT, TEXT, WHY, RULES, CHANGES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [LABEL, FROM, TO, SENT, DELIVERED, DONE, RECEIVE, ORDER] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [STEP, ASSERTION, ASSUMPTION, STUCK, UNFINISHED] = [0, 1, 2, 3, 4];
  const FINISHED = 0, AT_WAIT = 2;

  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const draw = (tag, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    if (parent) parent.append(element);
    return element;
  };
  const tip = (element, text) => { draw("title", {}, element).textContent = text; };
  const cut = (text, count) => {
    const characters = Array.from(text);
    return characters.length <= count ? text : characters.slice(0, Math.max(count - 1, 0)).join("") + "…";
  };

  /** R9 before R10; otherwise as characters are numbered. */
  const parts = new Map();
  const split = (text) => {
    if (!parts.has(text)) parts.set(text, text.match(/\d{1,15}|\D+/g) ?? []);
    return parts.get(text);
  };
  const natural = (a, b) => {
    const [x, y] = [split(a), split(b)];
    for (let i = 0; i < Math.min(x.length, y.length); ++i) {
      if (x[i] === y[i]) continue;
      const by = Number(x[i]) - Number(y[i]);
      return by || (x[i] < y[i] ? -1 : 1); // not a number: by its characters
    }
    return x.length - y.length;
  };

  /** The state of a trace at a step, moved by its changes, forwards and backwards. */
  class State {
    constructor(trace) {
      this.trace = trace;
      this.step = 0;
      this.containers = data.containers.map(() => new Map());
    }
    set(container, key, value) {
      if (value === null) this.containers[container].delete(key);
      else this.containers[container].set(key, value);
    }
    go(step) {
      for (; this.step < step; ++this.step)
        for (const [container, key, , after] of this.trace.rows[this.step][CHANGES]) this.set(container, key, after);
      for (; this.step > step; --this.step) {
        const changes = this.trace.rows[this.step - 1][CHANGES];
        for (let i = changes.length - 1; i >= 0; --i) this.set(changes[i][0], changes[i][1], changes[i][2]);
      }
    }
    get status() { return this.step === 0 ? data.statuses[0] : data.statuses[this.trace.rows[this.step - 1][STATUS]]; }
  }

  /** What a search looks through. */
  const haystack = (row) => {
    if (row.haystack === undefined) {
      const rules = row[RULES].map(([rule, text]) => `${data.rules[rule]} ${text}`);
      row.haystack = [row[RHO], row[TEXT], row[WHY], ...rules].join("\n").toLowerCase();
    }
    return row.haystack;
  };

  class Pane {
    constructor(trace) {
      this.trace = trace;
      this.rows = trace.rows;
      this.threads = trace.lanes.length;
      this.state = new State(trace);
      this.fork = -1; // the first row that the other pane's trace does not have
      this.other = null;
      this.element = make("div", "pane");
      this.view = make("div", "view");
      this.view.tabIndex = 0;
      this.view.setAttribute("role", "region");
      this.view.setAttribute("aria-label", `trace ${trace.number}: space-time diagram`);
      this.lanes = make("div", "lanes");
      this.sheet = make("div", "sheet");
      this.view.append(this.lanes, this.sheet);
      this.panel = make("div", "state");
      this.panel.tabIndex = 0;
      this.panel.setAttribute("role", "region");
      this.panel.setAttribute("aria-label", `trace ${trace.number}: state`);
      this.element.append(this.view, this.panel);
      this.waits = [];
      this.rows.forEach((row, r) => { if (row[IS_WAIT] && row[KIND] === STEP) this.waits.push(r); });
      // Several messages that come with one entry arrive one below the other.
      const coming = new Map();
      for (const message of trace.messages) {
        const at = message[DELIVERED];
        if (at >= 0 && !coming.has(at)) coming.set(at, []);
        if (at >= 0) coming.get(at).push(message);
      }
      for (const messages of coming.values()) {
        messages.sort((a, b) => b[ORDER] - a[ORDER]);
        messages.forEach((message, i) => { message.above = Math.min(4 * i, 12); });
      }
      this.view.addEventListener("scroll", () => this.later());
    }

    get step() { return this.state.step; }

    layout() {
      let location = 2;
      for (const row of this.rows) location = Math.max(location, Math.min(12, Array.from(row[RHO]).length));
      this.location = location;
      this.digits = Math.max(2, String(this.rows.length).length);
      this.gutter = 12 + (this.digits + location + 3) * CHARACTER;
      const room = (this.view.clientWidth - this.gutter - 20) / Math.max(this.threads, 1);
      this.lane = Math.min(Math.max(room, 120), 230);
      this.width = Math.max(this.gutter + this.threads * this.lane + 10, this.view.clientWidth - 2);
      this.height = HEAD + this.rows.length * ROW + 20;
      this.sheet.style.width = this.lanes.style.width = `${this.width}px`;
      this.sheet.style.height = `${this.height}px`;
      this.lanes.replaceChildren();
      const most = 400; // of lanes whose heads are elements all the time
      for (let t = 0; t < Math.min(this.threads, most); ++t) {
        const name = make("span", "", `thread ${t}`);
        name.style.left = `${this.x(t) - 5}px`;
        this.lanes.append(name);
      }
    }
    x(thread) { return this.gutter + 12 + thread * this.lane; }
    y(row) { return HEAD + ROW * (row + 0.5); }

    later() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.paint(); });
    }

    /** Draws the rows that can be seen, and a few more. */
    paint() {
      const top = Math.max(0, this.view.scrollTop - 200);
      const bottom = Math.min(this.height, this.view.scrollTop + this.view.clientHeight + 200);
      const first = Math.max(0, Math.floor((top - HEAD) / ROW)), last = Math.min(this.rows.length, Math.ceil((bottom - HEAD) / ROW));
      const svg = draw("svg", {width: this.width, height: bottom - top, viewBox: `0 ${top} ${this.width} ${bottom - top}`});
      svg.style.top = `${top}px`;
      const id = `head${this.trace.number}`;
      const marker = draw("marker", {id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
                                     orient: "auto-start-reverse"}, draw("defs", {}, svg));
      draw("path", {class: "head", d: "M0 0L8 4L0 8z"}, marker);

      const groups = [];
      for (let r = first; r < last; ++r) {
        const kind = this.rows[r][KIND];
        const g = draw("g", {"data-row": r}, svg);
        const classes = ["row"];
        if (kind === ASSERTION || kind === ASSUMPTION) classes.push("bad");
        if (kind === STUCK) classes.push("stuck");
        if (r >= this.step) classes.push("ahead");
        if (query !== "" && haystack(this.rows[r]).includes(query)) classes.push("found");
        if (r === this.step - 1) classes.push("here");
        g.setAttribute("class", classes.join(" "));
        draw("rect", {class: "band", x: 0, y: this.y(r) - ROW / 2, width: this.width, height: ROW}, g);
        groups.push(g);
      }
      const bottomOfAll = this.y(this.rows.length - 1) + ROW / 2;
      this.trace.lanes.forEach(([lastRow, kind], t) => {
        const end = kind !== FINISHED ? bottomOfAll : lastRow < 0 ? HEAD : this.y(lastRow) + 9;
        if (end < top) return;
        draw("path", {class: "lane", d: `M${this.x(t)} ${top}V${Math.min(end, bottom)}${kind === FINISHED && end < bottom ? "m-5 0h10" : ""}`}, svg);
        if (kind === AT_WAIT) this.bar(svg, t, lastRow, bottomOfAll, top, bottom);
      });
      for (const r of this.waits) {
        if (this.rows[r][SINCE] >= last) break;
        if (r >= first) this.bar(svg, this.rows[r][THREAD], this.rows[r][SINCE], this.y(r), top, bottom);
      }
      for (const message of this.trace.messages) {
        if (message[SENT] > last) break;
        this.message(svg, message, first, last, id, bottomOfAll);
      }
      if (this.fork >= first && this.fork <= last && this.fork >= 0)
        draw("path", {class: "fork", d: `M0 ${this.y(this.fork) - ROW / 2}H${this.width}`}, svg);
      const characters = Math.floor((this.lane - 18) / CHARACTER);
      for (const g of groups) this.row(g, Number(g.getAttribute("data-row")), characters);
      for (const g of groups) svg.append(g.marks);
      this.sheet.replaceChildren(svg);
    }

    bar(svg, thread, since, end, top, bottom) {
      const begin = Math.max(since < 0 ? 0 : this.y(since), top);
      end = Math.min(end, bottom);
      if (end <= begin) return;
      draw("rect", {class: "wait", x: this.x(thread) - 4, y: begin, width: 8, height: end - begin, rx: 3}, svg);
    }

    row(g, r, characters) {
      const row = this.rows[r], y = this.y(r);
      const x = row[THREAD] < 0 ? this.gutter + 12 : this.x(row[THREAD]);
      // The marks come above lanes and messages, the band below them.
      const marks = draw("g", {class: g.getAttribute("class"), "data-row": r});
      tip(marks, `entry ${r}${row[RHO] && ", " + row[RHO]}${row[THREAD] < 0 ? "" : ", thread " + row[THREAD]}: ${row[TEXT]}${row[WHY] && "; " + row[WHY]}`);
      draw("text", {class: "gutter", x: 10, y: y + 4}, marks).textContent =
        `${String(r).padStart(this.digits)}  ${cut(row[RHO], this.location)}`;
      if (row[KIND] === STEP) draw("circle", {class: "dot", cx: x, cy: y, r: 4}, marks);
      else if (row[KIND] === STUCK) draw("rect", {class: "square", x: x - 5, y: y - 5, width: 10, height: 10}, marks);
      else if (row[KIND] === UNFINISHED) draw("circle", {class: "open", cx: x, cy: y, r: 4}, marks);
      else draw("path", {class: "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`}, marks);
      draw("text", {x: x + 12, y: y + 4}, marks).textContent = cut(row[TEXT], characters);
      g.marks = marks;
      marks.addEventListener("click", () => go(r + 1));
      g.addEventListener("click", () => go(r + 1));
    }

    message(svg, m, first, last, id, bottomOfAll) {
      const [label, from, to, sent, delivered, done] = m;
      const open = delivered >= 0 && done < 0;
      if (!open && Math.max(sent, delivered, done) < first) return;
      const ahead = sent >= this.step ? " ahead" : "";
      let what = `${label}: issued at entry ${sent}`;
      what += delivered < 0 ? "; in transit" : `, delivered at entry ${delivered}`;
      if (done >= 0) what += `, ${m[RECEIVE]} completed at entry ${done}`;
      const line = (css, d, head) => {
        const path = draw("path", {class: `message${css}`, d}, svg);
        if (head) path.setAttribute("marker-end", `url(#${id})`);
        tip(path, what);
      };
      const x1 = this.x(from), y1 = this.y(sent);
      if (delivered < 0) return line(" lost" + ahead, `M${x1} ${y1}l${to >= 0 && to < from ? -34 : 34} 14`, true);
      const aheadNow = delivered >= this.step ? " ahead" : "";
      if (to < 0) return line(" lost" + aheadNow, `M${x1} ${y1}L${x1 + 34} ${this.y(delivered) - 6}`, true);
      const atOnce = done === delivered && this.rows[done][THREAD] === to;
      const x2 = this.x(to) + (to === from ? -4 : from < to ? -5 : 5);
      const y2 = this.y(delivered) - (atOnce ? 1 : 8) - m.above;
      line(aheadNow, to === from ? `M${x1} ${y1}C${x1 - 26} ${y1} ${x1 - 26} ${y2} ${x2} ${y2}` : `M${x1} ${y1}L${x2} ${y2}`, true);
      if (atOnce) return;
      const side = from < to ? -7 : 7;
      const lane = done < 0 ? to : this.rows[done][THREAD];
      line(" kept" + aheadNow, `M${this.x(to) + side} ${y2}L${this.x(lane) + side} ${done < 0 ? bottomOfAll : this.y(done)}`, done >= 0);
    }

    go(step) {
      this.state.go(Math.min(step, this.rows.length));
      // The row of the step stays in sight.
      if (this.step > 0) {
        const y = this.y(this.step - 1), {scrollTop, clientHeight} = this.view, margin = 3 * ROW;
        if (y - margin < scrollTop) this.view.scrollTop = Math.max(0, y - margin);
        else if (y + margin + 28 > scrollTop + clientHeight) this.view.scrollTop = y + margin + 28 - clientHeight;
      } else this.view.scrollTop = 0;
    }

    /** The state beside the diagram. */
    tell() {
      const parts = [];
      const section = (title, ...children) => {
        const element = make("section");
        element.append(make("h3", "", title), ...children);
        parts.push(element);
      };
      const row = this.step === 0 ? null : this.rows[this.step - 1];
      const status = make("span", `status ${this.state.status}`, this.state.status);
      if (this.other && this.other.state.status !== this.state.status) status.classList.add("differs");
      const line = make("div", "mono");
      line.append(`trace ${this.trace.number}, step ${this.step} of ${this.rows.length}: s = `, status);
      parts.push(line);
      if (row) {
        const head = row[THREAD] < 0 ? "" : `thread ${row[THREAD]}: `;
        const children = [make("div", "mono", `${row[RHO]}  ${head}${row[TEXT]}`)];
        if (row[WHY]) children.push(make("div", "why", row[WHY]));
        const list = make("ul", "rules");
        for (const [rule, text] of row[RULES]) {
          const item = make("li");
          item.append(make("b", "", data.rules[rule]), "  " + text);
          list.append(item);
        }
        section(`entry ${this.step - 1}, rule by rule`, ...children, list);
      } else section("initial state");
      const changed = new Set(row ? row[CHANGES].map(([container, key]) => `${container} ${key}`) : []);
      const items = (container, text, ordered) => {
        const cells = this.state.containers[container];
        const others = this.other ? this.other.state.containers[container] : null;
        let keys = [...cells.keys()];
        if (others && !ordered) for (const key of others.keys()) if (!cells.has(key)) keys.push(key);
        if (ordered) keys.sort((a, b) => a - b);
        else if (keys.length <= 1000) keys.sort(natural); // else as they came to be
        const more = keys.length - 400;
        if (more > 0) keys = ordered ? keys.slice(0, 400) : keys.slice(-400);
        const elements = keys.map((key) => {
          const there = cells.has(key);
          const item = make("span", "item", there ? text(key, cells.get(key)) : text(key, "-"));
          if (!there) item.classList.add("none");
          if (changed.has(`${container} ${key}`)) item.classList.add("changed");
          if (others && others.get(key) !== cells.get(key)) item.classList.add("differs");
          item.dataset.key = key;
          return item;
        });
        if (more > 0) elements.push(make("span", "none", `... and ${more} more`));
        return elements.length ? elements : [make("span", "none", "(empty)")];
      };
      const box = (name, children) => { const div = make("div", "mono"); div.dataset.part = name; div.append(...children); return div; };
      section("store h", box("h", items(0, (x, v) => `${x} = ${v}`)));
      section("match set", box("matches", items(2, (r, s) => `${r} = ${s}`)));
      section("requests A", box("A", items(1, (a, e) => `${a}: ${e}`)));
      const kinds = {Pnd_s: "in transit Pnd_s", Q_s: "delivered Q_s", Pnd_r: "receives Pnd_r"};
      for (const kind in kinds) {
        const queues = [];
        data.containers.forEach(([k, name], container) => {
          if (k !== kind) return;
          const touched = row && row[CHANGES].some(([c]) => c === container);
          if (this.state.containers[container].size === 0 && !touched) return;
          queues.push(box(name, [`${name} = `, ...items(container, (_, v) => v, true)]));
        });
        section(kinds[kind], ...(queues.length ? queues : [make("span", "none", "(all empty)")]));
      }
      this.panel.replaceChildren(...parts);
    }
  }

  // ------------------------------------------------------------------------------------------------------------------
  let panes = [];
  let query = "";
  let step = 0;

  const length = () => Math.max(...panes.map((pane) => pane.rows.length));

  function address() {
    const parts = [];
    if (data.traces.length > 1) parts.push(`trace=${panes[0].trace.number}`);
    if (panes[1]) parts.push(`with=${panes[1].trace.number}`);
    parts.push(`step=${step}`);
    return "#" + parts.join("&");
  }

  function go(to) {
    step = Math.min(Math.max(to, 0), length());
    for (const pane of panes) pane.go(step);
    for (const pane of panes) { pane.paint(); pane.tell(); }
    $("slider").value = step;
    $("where").textContent = `step ${step} of ${length()}`;
    $("slider").setAttribute("aria-valuetext", `step ${step}`);
    clearTimeout(go.timer); // browsers allow so many changes of the address in a time
    go.timer = setTimeout(() => { if (location.hash !== address()) history.replaceState(null, "", address()); }, 100);
  }

  /** In what two traces differ at their ends. */
  function differences([a, b]) {
    const lines = [];
    const rowsDiffer = (r, s) => r[RHO] !== s[RHO] || r[TEXT] !== s[TEXT] || r[KIND] !== s[KIND] ||
      JSON.stringify(r[CHANGES]) !== JSON.stringify(s[CHANGES]);
    let fork = 0;
    while (fork < a.rows.length && fork < b.rows.length && !rowsDiffer(a.rows[fork], b.rows[fork])) ++fork;
    const same = fork === a.rows.length && fork === b.rows.length;
    a.fork = b.fork = same ? -1 : fork;
    const entry = (pane) => fork < pane.rows.length ? `${pane.rows[fork][RHO]} ${pane.rows[fork][TEXT]}` : "its end";
    lines.push(same ? "The traces do not differ." : `First difference, entry ${fork}: ${entry(a)} | ${entry(b)}`);
    if (a.trace.status !== b.trace.status) lines.push(`Status: ${a.trace.status} | ${b.trace.status}`);
    const ends = [a, b].map((pane) => { const end = new State(pane.trace); end.go(pane.rows.length); return end; });
    for (const [container, title] of [[2, "Matches"], [0, "Store"]]) {
      const [left, right] = ends.map((end) => end.containers[container]);
      const keys = [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key)).sort();
      const told = keys.slice(0, 50).map((key) => `${key} = ${left.get(key) ?? "-"} | ${right.get(key) ?? "-"}`);
      if (keys.length > 50) told.push(`... and ${keys.length - 50} more`);
      if (keys.length) lines.push(`${title} at the end: ${told.join(", ")}`);
    }
    $("differences").replaceChildren(...lines.map((line) => make("div", "", line)));
  }

  function show(trace, beside) {
    const chosen = [trace];
    if (beside !== null && beside !== trace) chosen.push(beside);
    panes = chosen.map((t) => new Pane(data.traces[t]));
    if (panes[1]) { panes[0].other = panes[1]; panes[1].other = panes[0]; }
    $("panes").className = panes[1] ? "two" : "";
    $("panes").replaceChildren(...panes.map((pane) => pane.element));
    for (const pane of panes) pane.layout();
    $("trace").value = String(trace);
    $("with").value = panes[1] ? String(beside) : "";
    $("slider").max = length();
    $("differences").hidden = !panes[1];
    if (panes[1]) differences(panes);
    search();
  }

  // ------------------------------------------------------------------------------------------------------------------
  /** The steps that a search finds, of either pane. */
  let found = [];
  function search() {
    query = $("search").value.trim().toLowerCase();
    const steps = new Set();
    if (query !== "")
      for (const pane of panes) pane.rows.forEach((row, r) => { if (haystack(row).includes(query)) steps.add(r + 1); });
    found = [...steps].sort((a, b) => a - b);
    tellFound();
  }
  function tellFound() {
    const at = found.indexOf(step);
    $("found").textContent = query === "" ? "" : found.length === 0 ? "no match" :
      at < 0 ? `${found.length} found` : `${at + 1} of ${found.length}`;
  }
  function next(direction) {
    if (found.length === 0) return tellFound();
    const later = direction > 0 ? found.find((s) => s > step) : found.findLast((s) => s < step);
    go(later ?? (direction > 0 ? found[0] : found[found.length - 1]));
    tellFound();
  }

  // ------------------------------------------------------------------------------------------------------------------
  function fromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const index = (name) => data.traces.findIndex((trace) => String(trace.number) === wanted.get(name));
    const trace = Math.max(index("trace"), 0), beside = index("with");
    show(trace, beside < 0 ? null : beside);
    const to = Number.parseInt(wanted.get("step") ?? "0", 10);
    go(Number.isNaN(to) ? 0 : to);
  }

  $("file").textContent = `${data.file} (${data.buffering} buffering)`;
  const none = make("option", "", "none");
  none.value = "";
  $("with").append(none);
  data.traces.forEach((trace, t) => {
    for (const select of [$("trace"), $("with")]) {
      const option = make("option", "", `${trace.number}: ${trace.status}`);
      option.value = String(t);
      select.append(option);
    }
  });
  $("with-label").hidden = data.traces.length < 2;
  const chosen = () => {
    const at = step;
    show(Number($("trace").value), $("with").value === "" ? null : Number($("with").value));
    go(at);
  };
  $("trace").addEventListener("change", chosen);
  $("with").addEventListener("change", chosen);
  $("slider").addEventListener("input", () => { go(Number($("slider").value)); tellFound(); });
  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => go(step - 1));
  $("forth").addEventListener("click", () => go(step + 1));
  $("last").addEventListener("click", () => go(length()));
  $("ask").addEventListener("click", () => $("help").showModal());
  $("search").addEventListener("input", () => { search(); for (const pane of panes) pane.paint(); });
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
    else if (event.key !== "Escape") return;
    $("search").blur();
    event.preventDefault();
  });
  window.addEventListener("hashchange", fromAddress);
  window.addEventListener("resize", () => { for (const pane of panes) { pane.layout(); pane.paint(); } });

  const keys = {
    j: () => go(step + 1), ArrowRight: () => go(step + 1), ArrowDown: () => go(step + 1),
    k: () => go(step - 1), ArrowLeft: () => go(step - 1), ArrowUp: () => go(step - 1),
    Home: () => go(0), End: () => go(length()),
    n: () => next(1), N: () => next(-1),
    "/": () => { $("search").focus(); $("search").select(); },
    "?": () => $("help").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || $("help").open) return;
    if (event.target.type === "search") return;
    if (event.target.tagName === "SELECT" && event.key.length > 1) return; // arrows choose there
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act) return;
    event.preventDefault(); // of the slider and of scrolling too
    act();
    tellFound();
  });

  fromAddress();
})();
