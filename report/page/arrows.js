// The arrows of a diagram: from the send of a message to its delivery, then dashed until its receive completes; and from the
// write of a shared variable to the read of another thread that gets it.

const MOST_PASSING = 150; // messages that are drawn though neither end can be seen
const MOST_NAMED = 100; // messages, of which also those that pass are named

class Arrows {
  /** The arrows in the rows [first, last] of the sheet. `step` splits what has happened from what is ahead. */
  constructor(sheet, first, last, step) {
    this.sheet = sheet;
    this.trace = sheet.trace;
    this.first = first;
    this.last = last;
    this.step = step;
    this.lines = []; // {source, index, kind, css, d, points, hasHead, isNamed}; `source` has texts and stories by index
    this.passing = new Set(); // the dashed lines that cross all rows: one at each place is enough
    this.all = true;
    if (this.trace.length === 0) return;
    this.addAll(this.trace.messages, "message", (i) => this.add(i));
    if (this.trace.reads) this.addAll(this.trace.reads, "reads", (i) => this.read(i));
  }
  addAll(source, kind, add) {
    const {indices, all} = source.inRows(this.first, this.last, MOST_PASSING);
    this.source = source;
    this.kind = kind;
    this.all &&= all;
    this.isCrowded = indices.length > MOST_NAMED;
    for (const i of indices) add(i);
  }

  add(i) {
    const {sheet, trace} = this, m = trace.messages;
    const from = m.from(i), to = m.to[i], sent = m.sent[i], delivered = m.delivered[i];
    const isFromShown = sheet.lanes.shows(from), isToShown = to >= 0 && sheet.lanes.shows(to);
    const y1 = sheet.y(sent);
    if (delivered < 0 || !isToShown) {
      if (!isFromShown) return;
      const x1 = sheet.x(from), side = isToShown && sheet.x(to) < x1 ? -34 : 34;
      const goesTo = delivered < 0 ? "" : to < 0 ? " to no receive" : ` to ${THREAD} ${to}`;
      return this.line(i, sent, delivered < 0 ? " lost" : " stub", [[x1, y1], [x1 + side, y1 + 14]], true, goesTo);
    }
    const done = m.done[i];
    const isAtOnce = done === delivered && trace.threads[done] === to;
    const sameLane = isFromShown && sheet.laneOf(from) === sheet.laneOf(to);
    const isFromLeft = !isFromShown || sheet.laneOf(from) < sheet.laneOf(to);
    const x2 = sheet.x(to) + (sameLane ? -4 : isFromLeft ? -5 : 5);
    const y2 = sheet.y(delivered) - (isAtOnce ? 1 : 8) - Math.min(4 * m.after[i], 12);
    if (!isFromShown) this.line(i, delivered, " stub", [[x2 - 34, y2 - 12], [x2, y2]], true, ` from ${THREAD} ${from}`);
    else if (sameLane) this.loop(i, delivered, sheet.x(from), y1, x2, y2);
    else this.line(i, delivered, "", [[sheet.x(from), y1], [x2, y2]], true);
    if (!isAtOnce) this.kept(i, isFromLeft ? -7 : 7, y2);
  }

  read(i) {
    const {sheet, trace} = this, r = trace.reads, from = trace.threads[r.from[i]], to = trace.threads[r.to[i]];
    if (!sheet.lanes.shows(to)) return;
    const css = r.isThin[i] ? " thin" : "", y1 = sheet.y(r.from[i]), y2 = sheet.y(r.to[i]) - 1;
    if (!sheet.lanes.shows(from))
      return this.line(i, r.to[i], css, [[sheet.x(to) - 40, y2 - 12], [sheet.x(to) - 6, y2]], true, ` from ${THREAD} ${from}`);
    const x1 = sheet.x(from), x2 = sheet.x(to), side = x1 < x2 ? 1 : -1;
    if (x1 === x2) this.loop(i, r.to[i], x1, y1, x2 - 5, y2);
    else this.line(i, r.to[i], css, [[x1 + 5 * side, y1], [x2 - 6 * side, y2]], true);
  }

  isJustPassing(i) {
    const [begins, ends] = this.source.rows;
    return this.isCrowded && begins[i] < this.first && ends[i] > this.last;
  }
  isAhead(row) { return row >= this.step ? " ahead" : ""; }

  line(i, row, css, points, hasHead, suffix = "") {
    const [[x1, y1], [x2, y2]] = points;
    this.lines.push({
      source: this.source,
      index: i,
      kind: this.kind,
      css: css + this.isAhead(row),
      d: ([top]) => `M${x1} ${y1 - top}L${x2} ${y2 - top}`,
      points,
      hasHead,
      suffix,
      isNamed: hasHead && !this.isJustPassing(i)
    });
  }
  loop(i, row, x1, y1, x2, y2) {
    const out = x1 - 26;
    this.lines.push({
      source: this.source,
      index: i,
      kind: this.kind,
      css: this.isAhead(row),
      points: [[out + 6, y1], [out + 6, y2]],
      hasHead: true,
      suffix: "",
      isNamed: true,
      head: [x2, y2],
      d: ([top]) => `M${x1} ${y1 - top}C${out} ${y1 - top} ${out} ${y2 - top} ${x2} ${y2 - top}`
    });
  }
  /** A dashed line until the receive completes, or to the end. */
  kept(i, side, y) {
    const {sheet, trace} = this, done = trace.messages.done[i], to = trace.messages.to[i];
    const thread = done < 0 || !sheet.lanes.shows(trace.threads[done]) ? to : trace.threads[done];
    const x1 = sheet.x(to) + side, x2 = sheet.x(thread) + side;
    const isOutside = trace.messages.delivered[i] < this.first && (done < 0 || done > this.last) && x1 === x2;
    const css = " kept" + this.isAhead(trace.messages.delivered[i]);
    if (isOutside && this.passing.has(x1 + css)) return;
    if (isOutside) this.passing.add(x1 + css);
    const end = done < 0 ? sheet.bottom : sheet.y(done);
    this.lines.push({source: this.source, index: i, kind: this.kind, css, points: [[x1, y], [x2, end]], hasHead: done >= 0, suffix: "", isNamed: false,
      d: ([top, bottom]) => x1 === x2 ? `M${x1} ${Math.max(y, top - 50) - top}V${Math.min(end, bottom + 50) - top}`
        : `M${x1} ${y - top}L${x2} ${end - top}`});
  }
}

/** The part of a line between two heights: [x, x] from left to right, or null. */
function partBetween([[x1, y1], [x2, y2]], top, bottom) {
  if (y2 < y1) return partBetween([[x2, y2], [x1, y1]], top, bottom);
  if (y2 < top || y1 > bottom) return null;
  const at = (y) => y2 === y1 ? x1 : x1 + (x2 - x1) * (y - y1) / (y2 - y1);
  const [a, b] = y2 === y1 ? [x1, x2] : [at(Math.max(top, y1)), at(Math.min(bottom, y2))];
  return a < b ? [a, b] : [b, a];
}
