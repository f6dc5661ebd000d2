// The lanes of a diagram: which threads it shows, in which order, and which of them share a lane. In the address they
// are written like this: "0,4-7,(8-15)" is thread 0, threads 4 to 7, and one lane for threads 8 to 15; the others are
// hidden.

class Lanes {
  /** `lanes` are arrays of threads. */
  constructor(count, lanes) {
    this.count = count;
    this.lanes = lanes;
    this.laneOf = new Int32Array(count).fill(-1);
    lanes.forEach((threads, lane) => { for (const t of threads) this.laneOf[t] = lane; });
  }
  static all(count) { return new Lanes(count, Array.from({length: count}, (_, t) => [t])); }

  /** Null if the text means no lanes: not in the form above, or a thread that there is not, or one twice. */
  static read(text, count) {
    const lanes = [], seen = new Set();
    const items = text.replace(/\s+/g, "").match(/\([^()]*\)|[^,()]+|[,()]/g) ?? [];
    const range = (item) => {
      const [, first, , last] = item.match(/^(\d{1,9})(-(\d{1,9}))?$/) ?? [];
      const threads = [];
      for (let t = Number(first); t <= Number(last ?? first) && t < count + 1; ++t) threads.push(t);
      if (threads.length === 0 || threads.some((t) => t >= count || seen.has(t))) return null;
      for (const t of threads) seen.add(t);
      return threads;
    };
    for (let i = 0; i < items.length; ++i) {
      if (i % 2 === 1) {
        if (items[i] !== "," || i + 1 === items.length) return null;
      } else if (items[i].startsWith("(")) {
        const parts = items[i].slice(1, -1).split(",").map(range);
        if (parts.includes(null)) return null;
        lanes.push(parts.flat());
      } else {
        const threads = range(items[i]);
        if (threads === null) return null;
        for (const t of threads) lanes.push([t]);
      }
    }
    return lanes.length === 0 ? null : new Lanes(count, lanes);
  }

  /** The text that `read` reads; empty if all threads are shown as they come. */
  toString() {
    if (this.isAll) return "";
    const ranges = (threads) => {
      const parts = [];
      for (let i = 0; i < threads.length;) {
        let j = i;
        while (j + 1 < threads.length && threads[j + 1] === threads[j] + 1) ++j;
        parts.push(i === j ? `${threads[i]}` : `${threads[i]}-${threads[j]}`);
        i = j + 1;
      }
      return parts.join(",");
    };
    const parts = [];
    let single = [];
    const flush = () => { if (single.length > 0) parts.push(ranges(single)); single = []; };
    for (const threads of this.lanes) {
      if (threads.length === 1) single.push(threads[0]);
      else { flush(); parts.push(`(${ranges(threads)})`); }
    }
    flush();
    return parts.join(",");
  }
  get isAll() {
    return this.lanes.length === this.count &&
      this.lanes.every((threads, t) => threads.length === 1 && threads[0] === t);
  }
  get hidden() { return this.count - this.lanes.reduce((sum, threads) => sum + threads.length, 0); }
  shows(thread) { return thread < 0 || this.laneOf[thread] >= 0; }
  isShared(lane) { return this.lanes[lane].length > 1; }

  /** "thread 3", "threads 8-15" */
  name(lane) {
    const threads = this.lanes[lane];
    if (threads.length === 1) return `${THREAD} ${threads[0]}`;
    return `${THREAD}s ${new Lanes(this.count, threads.map((t) => [t])).toString() || `0-${this.count - 1}`}`;
  }
  shortName(lane) { return this.name(lane).replace(/^\w+ /, ""); }

  // What users do. Each returns other lanes.

  without(lane) {
    return this.lanes.length === 1 ? this : new Lanes(this.count, this.lanes.filter((_, l) => l !== lane));
  }
  moved(lane, to) {
    const lanes = [...this.lanes];
    const [taken] = lanes.splice(lane, 1);
    lanes.splice(clamp(to, 0, lanes.length), 0, taken);
    return new Lanes(this.count, lanes);
  }
  /** Only these threads, in the order that they have. */
  only(threads) {
    const lanes = this.lanes.map((lane) => lane.filter((t) => threads.has(t))).filter((lane) => lane.length > 0);
    return lanes.length === 0 ? this : new Lanes(this.count, lanes);
  }
  expanded(lane) {
    return new Lanes(this.count, this.lanes.flatMap((threads, l) => l === lane ? threads.map((t) => [t]) : [threads]));
  }
  /**
   * Threads whose numbers divided by `size` are equal share a lane, where the first of them is. `of`: one such group
   * only.
   */
  grouped(size, of = null) {
    const groups = new Map(), lanes = [];
    for (const threads of this.lanes) {
      const group = Math.floor(threads[0] / size);
      if (threads.length > 1 || (of !== null && group !== of)) lanes.push(threads);
      else if (groups.has(group)) groups.get(group).push(threads[0]);
      else {
        groups.set(group, [threads[0]]);
        lanes.push(groups.get(group));
      }
    }
    return new Lanes(this.count, lanes);
  }
}
