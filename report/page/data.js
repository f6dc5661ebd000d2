// The data of the page (report/page_data.hpp), and what is found in it fast.

const data = JSON.parse($("data").textContent);

// The kinds of rows, and how lanes end.
const [STEP, ASSERTION, ASSUMPTION, STUCK, UNFINISHED] = [0, 1, 2, 3, 4];
const [FINISHED, AT_WAIT] = [0, 2];
// The containers of the state that are no queues.
const [STORE, REQUESTS, MATCHES] = [0, 1, 2];

/** What the program's threads are called. */
const THREAD = data.thread ?? "thread";

/** A line as the text that it stands for: its template with its numbers. */
const expand = (line) => {
  const numbers = line.split(",");
  let text = "";
  for (const part of data.templates[numbers[0]]) text += typeof part === "number" ? numbers[part + 1] : part;
  return text;
};

const parsedLines = (block) => block === "" ? [] : block.split(";").map((line) => JSON.parse(expand(line)));

/** Lines in blocks. Only what is asked for is read. */
class Lines {
  constructor(blocks) {
    this.blocks = blocks;
    this.split = new Map(); // block -> its lines; the recent ones
    this.read = new Map(); // line -> its content; the recent ones
  }
  raw(i) {
    const block = Math.floor(i / data.block);
    let lines = this.split.get(block);
    if (lines === undefined) {
      if (this.split.size > 32) this.split.clear();
      this.split.set(block, lines = this.blocks[block].split(";"));
    }
    return lines[i % data.block];
  }
  at(i) {
    let content = this.read.get(i);
    if (content === undefined) {
      if (this.read.size > 4096) this.read.clear();
      this.read.set(i, content = JSON.parse(expand(this.raw(i))));
    }
    return content;
  }
  /** All of them, which are not kept. */
  *[Symbol.iterator]() {
    for (const block of this.blocks) yield* parsedLines(block);
  }
}

/** Intervals in the order of their beginnings, in a tree that has the latest end of each subtree. */
class Spans {
  constructor(begins, ends) {
    this.begins = begins;
    this.leaves = 1;
    while (this.leaves < begins.length) this.leaves *= 2;
    this.latest = new Int32Array(2 * this.leaves).fill(-1);
    this.latest.set(ends, this.leaves);
    for (let i = this.leaves - 1; i > 0; --i) this.latest[i] = Math.max(this.latest[2 * i], this.latest[2 * i + 1]);
  }
  /** At most `most` of those that begin before `first` and end after `last`. */
  around(first, last, most) {
    const found = [], count = lowerBound(this.begins, first);
    const visit = (node, low, size) => {
      if (low >= count || this.latest[node] <= last || found.length >= most) return;
      if (size === 1) { found.push(low); return; }
      visit(2 * node + 1, low + size / 2, size / 2); // the latest ones first
      visit(2 * node, low, size / 2);
    };
    visit(1, 0, this.leaves);
    return found;
  }
}

/** The indices of the values that are not -1, in the order of the values; found by value. */
class Order {
  constructor(values) {
    const indices = [];
    values.forEach((value, i) => { if (value >= 0) indices.push(i); });
    indices.sort((a, b) => values[a] - values[b]);
    this.indices = Int32Array.from(indices);
    this.values = this.indices.map((i) => values[i]);
  }
  between(first, last) {
    return this.indices.subarray(lowerBound(this.values, first), lowerBound(this.values, last + 1));
  }
}

/** Arrows with an end in the rows [first, last], and at most `most` others that pass by; by the rows where they begin. */
function arrowsInRows(begins, orders, spans, first, last, most) {
  const found = new Set();
  for (let i = lowerBound(begins, first); i < begins.length && begins[i] <= last; ++i) found.add(i);
  for (const order of orders) for (const i of order.between(first, last)) found.add(i);
  const passing = spans.around(first, last, most);
  for (const i of passing) found.add(i);
  return {indices: [...found].sort((a, b) => a - b), all: passing.length < most};
}

/** The messages of a trace. */
class Messages {
  constructor(trace, columns) {
    this.trace = trace;
    this.texts = new Lines(columns.texts);
    for (const name of ["to", "sent", "delivered", "done", "after"]) this[name] = Int32Array.from(columns[name]);
    const ends = this.sent.map((sent, i) =>
      this.delivered[i] < 0 ? sent : this.done[i] < 0 ? trace.length : Math.max(this.delivered[i], this.done[i]));
    this.spans = new Spans(this.sent, ends);
    this.byDelivery = new Order(this.delivered);
    this.byDone = new Order(this.done);
  }
  from(i) { return this.trace.threads[this.sent[i]]; }
  text(i) { return this.texts.at(i)[0]; }
  receive(i) { return this.texts.at(i)[1]; }
  /** "S4 = 4: issued at entry 0, delivered at entry 12, R5 completed at entry 12" */
  story(i) {
    let what = `${this.text(i)}: issued at entry ${this.sent[i]}`;
    what += this.delivered[i] < 0 ? "; in transit" : `, delivered at entry ${this.delivered[i]}`;
    if (this.done[i] >= 0) what += `, ${this.receive(i)} completed at entry ${this.done[i]}`;
    return what;
  }
  get rows() { return [this.sent, this.delivered]; }
  inRows(first, last, most) {
    return arrowsInRows(this.sent, [this.byDelivery, this.byDone], this.spans, first, last, most);
  }
}

/** What threads read of shared variables that other threads have written. */
class Reads {
  constructor(trace, columns) {
    this.trace = trace;
    this.names = columns.names;
    this.name = Int32Array.from(columns.name);
    this.isThin = Uint8Array.from(columns.thin); // threads wait for the variable
    this.from = Int32Array.from(columns.from);
    this.to = Int32Array.from(columns.to);
    this.spans = new Spans(this.from, this.to);
    this.byEnd = new Order(this.to);
  }
  text(i) { return this.names[this.name[i]]; }
  story(i) {
    const end = (row) => `entry ${row}, ${this.trace.row(row).rho}`;
    return `${this.text(i)}, from ${end(this.from[i])}, to ${end(this.to[i])}`;
  }
  get rows() { return [this.from, this.to]; }
  inRows(first, last, most) { return arrowsInRows(this.from, [this.byEnd], this.spans, first, last, most); }
}

/** The locks that a thread holds: those of one slot, one after the other. */
class Holds {
  constructor(names) {
    this.names = names;
    this.from = [];
    this.to = []; // the row that gives the lock back, or -1
    this.name = [];
  }
  add(from, to, name) {
    this.from.push(from);
    this.to.push(to);
    this.name.push(name);
  }
  /** [{from, to, name}] of those that reach into the rows. */
  inRows(first, last) {
    const found = [];
    for (let i = Math.max(0, lowerBound(this.from, first + 1) - 1); i < this.from.length && this.from[i] <= last; ++i)
      if (this.to[i] < 0 || this.to[i] >= first)
        found.push({from: this.from[i], to: this.to[i], name: this.names[this.name[i]]});
    return found;
  }
}

/** A row is what happened to an entry of the trace. */
class Trace {
  constructor(content) {
    this.number = content.number;
    this.status = content.status;
    this.end = content.end ?? content.status; // how the run ended, in words
    this.waits = content.waits ?? []; // of a deadlock or a run that was ended: who waits for what
    this.lanes = content.lanes; // [last row of the thread, how its lane ends]
    this.threads = Int32Array.from(content.threads);
    this.kinds = Uint8Array.from(content.kinds);
    this.length = this.threads.length;
    this.lines = new Lines(content.rows);
    this.nets = content.nets;
    this.since = new Int32Array(this.length); // the previous row of the thread
    const rowsOf = this.lanes.map(() => []);
    this.threads.forEach((thread, r) => {
      const rows = thread < 0 ? [] : rowsOf[thread];
      this.since[r] = rows.length === 0 ? -1 : rows[rows.length - 1];
      rows.push(r);
    });
    this.rowsOf = rowsOf.map((rows) => Int32Array.from(rows));
    this.messages = new Messages(this, content.messages);
    this.reads = null;
    this.writes = new Map(); // shared variable -> the rows that write it
    this.holds = []; // thread -> slot -> locks
    this.lockNames = content.shared?.held.names ?? [];
    if (content.shared) this.readShared(content.shared);
  }
  readShared({writes, reads, held}) {
    writes.forEach((rows, i) => this.writes.set(data.shared[i][0], rows));
    this.reads = new Reads(this, reads);
    held.thread.forEach((thread, i) => {
      const slots = this.holds[thread] ??= [], slot = held.slot[i];
      (slots[slot] ??= new Holds(held.names)).add(held.from[i], held.to[i], held.name[i]);
    });
  }
  /** "written by b2", "initial value": of a shared variable at a step. */
  writer(variable, step) {
    const rows = this.writes.get(variable), i = lowerBound(rows, step);
    return i === 0 ? "initial value" : `written by ${this.row(rows[i - 1]).rho}`;
  }
  kind(r) { return this.kinds[r] & 7; }
  statusAfter(r) { return data.statuses[(this.kinds[r] >> 3) & 3]; }
  isWait(r) { return this.kinds[r] >= 32 && this.kind(r) === STEP; }
  row(r) {
    const [rho, text, why, rules, changes] = this.lines.at(r);
    return {rho, text, why, rules, changes};
  }
  /** "t0.c4 (mw.c:15)", or "mw.c:15": the location of a row, and its place without folders. */
  label(r) {
    const {rho} = this.row(r);
    return data.told ? rho.replace(/^.*\//, "") : rho.replace(/\(.*\/(.*)\)$/, "($1)");
  }
  changes(r) { return this.lines.at(r)[4]; }
  /** What a search looks through. */
  haystack(r) {
    const [rho, text, why, rules] = JSON.parse(expand(this.lines.raw(r)));
    return [rho, text, why, ...rules.map(([rule, what]) => `${data.rules[rule]} ${what}`)].join("\n").toLowerCase();
  }
}

const traces = data.traces.map((content) => new Trace(content));
delete data.traces;

/** Which threads use a part of the state; made when it is first asked for. */
const users = (() => {
  let names = null;
  const byName = () => names ??= [data.variables, data.actions].map((blocks) => {
    const threads = new Map();
    for (const [name, ...users] of new Lines(blocks)) threads.set(name, users);
    return threads;
  });
  return {
    uses(thread, container, key, value) {
      if (container > MATCHES) {
        const [, , ...endpoints] = data.containers[container];
        return endpoints.some((endpoint) => data.endpoints[endpoint].includes(thread));
      }
      const threads = byName()[container === STORE ? 0 : 1];
      const has = (name) => threads.get(name)?.includes(thread) ?? false;
      return has(key) || (container === MATCHES && has(value));
    },
  };
})();
