// The search in commands, rules and reasons. A long run is searched bit by bit, so that the page stays usable.

const found = {
  query: "",
  steps: [], // that were found, sorted
  set: new Set(),
  isDone: true,
  wish: 0, // a direction to go as soon as something is found
  has(step) { return this.set.has(step); },

  start(query, traces, onMore) {
    this.query = query;
    this.steps = [];
    this.set = new Set();
    this.wish = 0;
    this.isDone = query === "";
    this.onMore = onMore;
    this.traces = traces;
    this.at = 0;
    clearTimeout(this.timer);
    if (!this.isDone) this.go(60);
  },
  /** Searches for some milliseconds. */
  go(milliseconds) {
    const until = performance.now() + milliseconds, length = Math.max(...this.traces.map((trace) => trace.length));
    for (; this.at < length; ++this.at) {
      if (this.at % 64 === 0 && performance.now() > until) break;
      if (!this.traces.some((trace) => this.at < trace.length && trace.haystack(this.at).includes(this.query)))
        continue;
      this.steps.push(this.at + 1);
      this.set.add(this.at + 1);
    }
    this.isDone = this.at >= length;
    if (!this.isDone) this.timer = setTimeout(() => this.go(30));
    this.onMore();
  },
  /** The next step that was found; null if there is none. */
  next(from, direction) {
    if (this.steps.length === 0) {
      this.wish = this.isDone ? 0 : direction;
      return null;
    }
    const at = lowerBound(this.steps, direction > 0 ? from + 1 : from);
    if (direction > 0) return this.steps[at === this.steps.length ? 0 : at];
    return this.steps[at === 0 ? this.steps.length - 1 : at - 1];
  },
  toString() {
    if (this.query === "") return "";
    const more = this.isDone ? "" : "+";
    if (this.steps.length === 0) return this.isDone ? "no match" : "searching";
    const at = this.set.has(step) ? lowerBound(this.steps, step) : -1;
    return at < 0 ? `${this.steps.length}${more} found` : `${at + 1} of ${this.steps.length}${more}`;
  },
};
