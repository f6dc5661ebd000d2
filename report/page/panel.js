// The state beside a diagram: the rules of the step, the store, the matches, the requests and the queues.

const MOST_CELLS = 400; // of a container that are shown
const MOST_QUEUES = 200;

/** What is shown of the state. */
const filter = {name: "", thread: "", changed: false};

class Panel {
  constructor(trace, state) {
    this.trace = trace;
    this.state = state;
    this.other = null; // the state of the other pane
    this.element = make("div", "state");
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", `trace ${trace.number}: state`);
    this.top = make("div");
    this.parts = make("div");
    this.element.append(this.top, this.parts);
    this.items = new Map(); // the elements of cells, by container and key
  }

  get row() { return this.state.step === 0 ? -1 : this.state.step - 1; }

  tell() {
    this.changed = new Map(); // container -> the keys that the step changed
    if (this.row >= 0)
      for (const [container, key] of this.trace.changes(this.row)) {
        if (!this.changed.has(container)) this.changed.set(container, new Set());
        this.changed.get(container).add(key);
      }
    this.used = new Map();
    this.top.replaceChildren(this.statusLine(), this.ruleByRule());
    this.parts.replaceChildren(...this.containers());
    this.items = this.used;
  }

  section(title, ...children) {
    const element = make("section");
    element.append(make("h3", "", title), ...children);
    return element;
  }
  statusLine() {
    const {state} = this;
    // How a run failed or got stuck is not a status of the machine, which would say `success`.
    const isOver = state.step === this.trace.length && this.trace.end !== state.status;
    const isBad = this.trace.end !== this.trace.status; // and then nothing is good on the way
    const kind = !isOver ? (isBad && state.status === "success" ? "" : state.status)
      : this.trace.end.startsWith("failed") ? "failure" : "error";
    const status = make("span", `status ${kind}`, isOver ? this.trace.end : state.status);
    if (this.other && this.other.status !== state.status) status.classList.add("differs");
    const line = make("div", "mono");
    line.append(`trace ${this.trace.number}, step ${state.step} of ${this.trace.length}: ${isOver ? "" : "s = "}`, status);
    if (isBad && !isOver) line.append(make("div", "why", `in the end: ${this.trace.end}`));
    if (isOver) for (const text of this.trace.waits) line.append(make("div", "why", text));
    return line;
  }
  ruleByRule() {
    if (this.row < 0) return this.section("initial state");
    const row = this.trace.row(this.row), thread = this.trace.threads[this.row];
    const children = [make("div", "mono", `${row.rho}  ${thread < 0 ? "" : `${THREAD} ${thread}: `}${row.text}`)];
    if (row.why) children.push(make("div", "why", row.why));
    const list = make("ul", "rules");
    for (const [rule, text] of row.rules) {
      const item = make("li");
      item.append(make("b", "", data.rules[rule]), "  " + text);
      list.append(item);
    }
    return this.section(`entry ${this.row}, rule by rule`, ...children, list);
  }

  // ------------------------------------------------------------------------------------------------------------------
  isChanged(container, key) { return this.changed.get(container)?.has(key) ?? false; }

  /** The thread that the filter asks for; null: all. */
  get wantedThread() {
    if (filter.thread === "") return null;
    return filter.thread === "acting" ? (this.row < 0 ? -1 : this.trace.threads[this.row]) : Number(filter.thread);
  }
  /** Whether a part of the state is shown. `text` is what it looks like. */
  isWanted(container, key, value, text) {
    if (filter.changed && !this.isChanged(container, key)) return false;
    if (this.wantedThread !== null && !users.uses(this.wantedThread, container, key, value)) return false;
    return filter.name === "" || text(key, value).toLowerCase().includes(filter.name);
  }
  get isFiltering() { return filter.changed || filter.name !== "" || filter.thread !== ""; }

  item(container, key, text, others) {
    const cells = this.state.cells[container], isThere = cells.has(key), id = `${container} ${key}`;
    const element = this.items.get(id) ?? make("span");
    const content = text(key, isThere ? cells.get(key) : "-");
    if (element.textContent !== content) element.textContent = content;
    const differs = others && others.get(key) !== cells.get(key);
    const css = "item" + (isThere ? "" : " none") + (this.isChanged(container, key) ? " changed" : "") +
      (differs ? " differs" : "");
    if (element.className !== css) element.className = css;
    this.used.set(id, element);
    return element;
  }
  /** `isPart`: of cells that are shown in several parts. */
  cells(container, text, isPart = null) {
    const cells = this.state.cells[container], others = this.other?.cells[container] ?? null;
    const isFiltering = this.isFiltering || isPart !== null;
    const wanted = (key) =>
      (isPart === null || isPart(key)) && this.isWanted(container, key, cells.get(key), text);
    const keys = cells.keys(MOST_CELLS, isFiltering ? wanted : () => true);
    let left = isFiltering ? 0 : cells.size - keys.length;
    if (others && !cells.isQueue && others.size <= 1000) {
      const only =
        others.keys(MOST_CELLS, (key) => !cells.has(key) && (isPart === null || isPart(key)) &&
          this.isWanted(container, key, others.get(key), text));
      keys.push(...only);
      if (only.length > 0) keys.sort(natural);
    }
    const elements = keys.map((key) => this.item(container, key, text, others));
    if (left > 0)
      elements.push(make("span", "none", cells.isQueue ? `... and ${left} more` : `... and ${left} earlier ones`));
    if (left === 0 && isFiltering && keys.length >= MOST_CELLS)
      elements.push(make("span", "none", "... and perhaps more"));
    if (elements.length > 0) return elements;
    if (isPart !== null) return [make("span", "none", this.isFiltering ? "(filtered out, or empty)" : "(empty)")];
    return [make("span", "none", cells.size > 0 ? `(${cells.size} filtered out)` : "(empty)")];
  }
  box(name, children) {
    const element = make("div", "mono");
    element.dataset.part = name;
    element.append(...children);
    return element;
  }

  /** Shared variables apart, with their last writers. */
  store() {
    const own = (x, v) => `${x} = ${v}`;
    if (!data.shared) return [this.section("store h", this.box("h", this.cells(STORE, own)))];
    const isShared = (x) => this.trace.writes.has(x);
    const shared = (x, v) => `${x} = ${v}, ${this.trace.writer(x, this.state.step)}`;
    return [
      this.section("store h, shared variables", this.box("shared", this.cells(STORE, shared, isShared))),
      this.section("store h, variables of threads", this.box("h", this.cells(STORE, own, (x) => !isShared(x)))),
    ];
  }

  containers() {
    const parts = [
      ...this.store(),
      this.section("match set", this.box("matches", this.cells(MATCHES, (r, s) => `${r} = ${s}`))),
      this.section("requests A", this.box("A", this.cells(REQUESTS, (a, e) => `${a}: ${e}`))),
    ];
    const kinds = {Pnd_s: "in transit Pnd_s", Q_s: "delivered Q_s", Pnd_r: "receives Pnd_r"};
    const touched = [...this.changed.keys()].filter((container) => container > MATCHES);
    const shown = [...new Set([...this.state.filled, ...touched])].sort((a, b) => a - b);
    for (const kind in kinds) parts.push(this.section(kinds[kind], ...this.queues(kind, shown)));
    return parts;
  }
  queues(kind, containers) {
    const boxes = [];
    let out = 0, left = 0;
    for (const container of containers) {
      const [ofKind, name] = data.containers[container];
      if (ofKind !== kind) continue;
      if (!this.isQueueWanted(container, name)) ++out;
      else if (boxes.length >= MOST_QUEUES) ++left;
      else boxes.push(this.box(name, [`${name} = `, ...this.queueCells(container, name)]));
    }
    if (left > 0) boxes.push(make("span", "none", `... and ${left} more queues`));
    if (boxes.length > 0) return boxes;
    return [make("span", "none", out > 0 ? `(${out} filtered out)` : "(all empty)")];
  }
  /** Queues are shown whole: a filter asks for their names or for some entry. */
  isQueueWanted(container, name) {
    if (filter.changed && !this.changed.has(container)) return false;
    if (this.wantedThread !== null && !users.uses(this.wantedThread, container)) return false;
    if (filter.name === "" || name.toLowerCase().includes(filter.name)) return true;
    return this.state.cells[container]
             .keys(1, (key) => this.state.cells[container].get(key).toLowerCase().includes(filter.name))
             .length > 0;
  }
  queueCells(container) {
    const cells = this.state.cells[container], others = this.other?.cells[container] ?? null;
    const keys = cells.keys(MOST_CELLS, () => true);
    const elements = keys.map((key) => this.item(container, key, (_, value) => value, others));
    if (cells.size > keys.length) elements.push(make("span", "none", `... and ${cells.size - keys.length} more`));
    return elements.length > 0 ? elements : [make("span", "none", "(empty)")];
  }
}
