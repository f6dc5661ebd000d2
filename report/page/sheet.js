// Where rows and lanes are on the sheet of a diagram, in units of the sheet; a unit is `view.zoom` pixels.

const ROW = 22, TOP = 10, CHARACTER = 7.3, SMALL_CHARACTER = 6.1;
const LOCK_NAME = 12; // characters of the name of a lock that are shown
const LOCATION = 12, PLACE = 24; // characters of a location that are shown, at least; of one with a place
const WIDEST_PLACE = 60;
const WIDEST_LANE = 230, NARROW_LANE = 76, NARROWEST_LANE = 4;

/** How users look at the diagrams; the same for two that are side by side. */
const view = {zoom: 1, fit: false, follow: true, names: true, lanes: null};

class Sheet {
  constructor(trace) {
    this.trace = trace;
    this.longest = 2; // label of a row
    for (let r = 0; r < trace.length && this.longest < WIDEST_PLACE; ++r)
      if (r < 2000 || r > trace.length - 2000)
        this.longest = Math.max(this.longest, Math.min(WIDEST_PLACE, columns(trace.label(r))));
    this.digits = Math.max(2, String(trace.length).length);
    // In front of the first lane there is room for the name of a lock.
    this.lead = 14 + Math.max(0, ...trace.lockNames.slice(0, 1000).map((name) => Math.min(columns(name), LOCK_NAME))) * SMALL_CHARACTER;
  }

  /** `width` of what can be seen. */
  layout(width) {
    const count = this.lanes.lanes.length, seen = width / view.zoom - 1;
    // Places are whole if they leave the lanes more than half of the width.
    const room = data.places ? Math.max(PLACE, Math.floor(0.4 * seen / CHARACTER)) : LOCATION;
    this.location = Math.min(this.longest, room);
    this.gutter = 12 + (this.digits + this.location + 3) * CHARACTER;
    const lane = (seen - this.gutter - this.lead - (view.fit ? 16 : 106)) / count;
    this.lane = clamp(lane, view.fit ? NARROWEST_LANE : NARROW_LANE, WIDEST_LANE);
    this.width = Math.max(this.gutter + this.lead + count * this.lane + 6, seen);
  }
  get height() { return TOP + this.count * ROW + 20; }
  /** The rows of these lanes. */
  choose(lanes) {
    if (lanes === this.lanes) return;
    this.lanes = lanes;
    const {threads, length} = this.trace;
    this.before = new Int32Array(length + 1); // row -> how many rows above it are shown
    for (let r = 0; r < length; ++r) this.before[r + 1] = this.before[r] + (lanes.shows(threads[r]) ? 1 : 0);
    this.count = this.before[length];
    this.rows = new Int32Array(this.count); // place -> row
    for (let r = 0; r < length; ++r) if (this.shows(r)) this.rows[this.before[r]] = r;
  }
  shows(row) { return this.before[row + 1] > this.before[row]; }
  /** The next row that is shown, from `row` on in the direction; -1 if there is none. */
  nextShown(row, direction) {
    const place = direction > 0 ? this.before[clamp(row, 0, this.trace.length)] :
                                  this.before[clamp(row + 1, 0, this.trace.length)] - 1;
    return place >= 0 && place < this.count ? this.rows[place] : -1;
  }

  laneOf(thread) { return thread < 0 ? -1 : this.lanes.laneOf[thread]; }
  laneX(lane) { return this.gutter + this.lead + lane * this.lane; }
  /** The x of a thread that is shown, or of what has no thread. */
  x(thread) { return thread < 0 ? this.gutter + this.lead : this.laneX(this.lanes.laneOf[thread]); }
  /** The y of a row; of one that is hidden, between those beside it. */
  y(row) { return TOP + ROW * (this.before[row] + (this.shows(row) ? 0.5 : 0)); }
  get bottom() { return TOP + ROW * this.count; }
  placeAt(y) { return Math.floor((y - TOP) / ROW); }
}
