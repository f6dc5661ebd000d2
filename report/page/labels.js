// Where texts go in a diagram: each row has one command, so its text may cross the lanes beside it, but not the heads
// of arrows. All positions are of the sheet; intervals are [from, to].

const overlap = ([a, b], [c, d]) => Math.max(0, Math.min(b, d) - Math.max(a, c));

/** The part of a row that is taken: by heads of arrows, by lines, by texts. */
class RowSpace {
  constructor() {
    this.heads = [];
    this.lines = [];
    this.texts = [];
  }
  cost(interval) {
    let cost = 0;
    for (const head of this.heads) cost += 40 * overlap(interval, head);
    for (const text of this.texts) cost += 40 * overlap(interval, text);
    for (const line of this.lines) cost += overlap(interval, line);
    return cost;
  }
  isFree(interval) {
    return [...this.heads, ...this.texts].every((taken) => overlap(interval, taken) === 0);
  }
}

/**
 * Where the text of a row goes that is `width` wide and whose mark is at x: {x, anchor, room}. It stays within the
 * bounds, and is cut to the room.
 */
function placeText(space, x, width, [from, to], gap = 12) {
  const candidates = [];
  for (const shift of [0, 10, 20]) {
    const right = x + gap + shift, left = x - gap - shift;
    candidates.push({
      x: right,
      anchor: "start",
      room: Math.max(0, to - right),
      interval: [right, Math.min(right + width, to)],
      rank: shift
    });
    candidates.push({
      x: left,
      anchor: "end",
      room: Math.max(0, left - from),
      interval: [Math.max(left - width, from), left],
      rank: shift + 1
    });
  }
  let best = null, least = Infinity;
  for (const candidate of candidates) {
    const cost = space.cost(candidate.interval) + 20 * Math.max(0, width - candidate.room) + candidate.rank;
    if (cost < least) [best, least] = [candidate, cost];
  }
  space.texts.push(best.interval);
  return best;
}

/**
 * Where the name of an arrow goes: on the row, of those that it crosses, that is nearest to the middle of what can be
 * seen of it and has room. `at(row)` is where the arrow is there. Null if there is no room.
 */
function placeName(spaces, rows, at, width, [from, to]) {
  const middle = (rows[0] + rows[rows.length - 1]) / 2;
  for (const row of [...rows].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
    const x = at(row), interval = [x - width / 2 - 1, x + width / 2 + 1];
    if (interval[0] < from || interval[1] > to || !spaces.get(row).isFree(interval)) continue;
    spaces.get(row).texts.push(interval);
    return {x, row};
  }
  return null;
}
