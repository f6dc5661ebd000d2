// The state of a trace at a step: step 0 is the initial state, step i the state behind entry i - 1. It moves forwards
// and backwards by what steps change. One step takes constant time; a jump goes by the net changes of whole blocks.

/**
 * The cells of a container of the state. Cells with names keep the order in which they came, queues that of their
 * ordinals.
 */
class Cells {
  constructor(isQueue) {
    this.values = new Map();
    this.isQueue = isQueue;
    this.order = []; // names in the order in which they came; undefined: it has gone
    this.places = new Map(); // name -> its place in `order`
    this.sorted = null; // the names, sorted, while no name comes or goes
    this.low = 0; // the ordinals of a queue are in [low, high)
    this.high = 0;
  }
  get size() { return this.values.size; }
  has(key) { return this.values.has(key); }
  get(key) { return this.values.get(key); }

  set(key, value) {
    if (value === null) this.remove(key);
    else {
      if (!this.values.has(key)) this.add(key);
      this.values.set(key, value);
    }
  }
  add(key) {
    if (this.isQueue) {
      this.low = this.size === 0 ? key : Math.min(this.low, key);
      this.high = this.size === 0 ? key + 1 : Math.max(this.high, key + 1);
      return;
    }
    this.sorted = null;
    this.places.set(key, this.order.length);
    this.order.push(key);
  }
  remove(key) {
    if (!this.values.delete(key)) return;
    if (this.isQueue) {
      while (this.low < this.high && !this.values.has(this.low)) ++this.low;
      while (this.low < this.high && !this.values.has(this.high - 1)) --this.high;
      return;
    }
    this.sorted = null;
    this.order[this.places.get(key)] = undefined;
    this.places.delete(key);
    while (this.order.length > 0 && this.order[this.order.length - 1] === undefined) this.order.pop();
    if (this.order.length > 2 * this.size + 1000) {
      this.order = this.order.filter((name) => name !== undefined);
      this.order.forEach((name, place) => this.places.set(name, place));
    }
  }

  /**
   * At most `most` keys that `wanted` accepts, as they are shown: the first of a queue, the latest of others; and how
   * many are left out (of a filter: at least).
   */
  keys(most, wanted) {
    const keys = [];
    if (this.isQueue) {
      let i = this.low;
      for (; i < this.high && keys.length < most; ++i) if (this.values.has(i) && wanted(i)) keys.push(i);
      return keys;
    }
    if (this.size <= 1000) {
      this.sorted ??= [...this.values.keys()].sort(natural);
      return this.sorted.filter(wanted).slice(-most);
    }
    for (let i = this.order.length - 1; i >= 0 && keys.length < most; --i)
      if (this.order[i] !== undefined && wanted(this.order[i])) keys.push(this.order[i]);
    return keys.reverse();
  }
}

class State {
  constructor(trace) {
    this.trace = trace;
    this.step = 0;
    this.cells = data.containers.map((_, container) => new Cells(container > MATCHES));
    this.filled = new Set(); // the queues that are not empty
    for (const [variable, value] of data.shared ?? []) this.set(STORE, variable, value);
  }
  set(container, key, value) {
    const cells = this.cells[container];
    cells.set(key, value);
    if (container <= MATCHES) return;
    if (cells.size > 0) this.filled.add(container);
    else this.filled.delete(container);
  }
  forward(changes) { for (const [container, key, , after] of changes) this.set(container, key, after); }
  backward(changes) {
    for (let i = changes.length - 1; i >= 0; --i) this.set(changes[i][0], changes[i][1], changes[i][2]);
  }

  go(step) {
    const net = (block) => parsedLines(this.trace.nets[block]);
    while (this.step < step) {
      const next = Math.min((Math.floor(this.step / data.block) + 1) * data.block, this.trace.length);
      if (this.step % data.block === 0 && next <= step && next > this.step + 1) {
        this.forward(net(this.step / data.block));
        this.step = next;
      } else this.forward(this.trace.changes(this.step++));
    }
    while (this.step > step) {
      const block = Math.floor((this.step - 1) / data.block), begin = block * data.block;
      const isEnd = this.step % data.block === 0 || this.step === this.trace.length;
      if (isEnd && begin >= step && begin < this.step - 1) {
        this.backward(net(block));
        this.step = begin;
      } else this.backward(this.trace.changes(--this.step));
    }
  }
  get status() { return this.step === 0 ? data.statuses[0] : this.trace.statusAfter(this.step - 1); }
}
