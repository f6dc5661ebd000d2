// The whole run beside its diagram: where which threads act, what failed, what a search found, and what can be seen. It
// is for pointers; the slider is the same for keys and for readers.

const MAP_WIDTH = 48;

class Minimap {
  constructor(diagram) {
    this.diagram = diagram;
    this.element = make("canvas", "minimap");
    this.element.setAttribute("aria-hidden", "true");
    this.element.title = "the whole run: click or drag to go there";
    const move = (event) => {
      const {sheet} = this.diagram, box = this.element.getBoundingClientRect();
      const place = Math.floor((event.clientY - box.top) / box.height * sheet.count);
      if (sheet.count > 0) go(sheet.rows[clamp(place, 0, sheet.count - 1)] + 1);
    };
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      move(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) move(event);
    });
    this.whole = document.createElement("canvas");
  }

  /** Only a run that is much longer than what can be seen has one. */
  layout() {
    const {sheet, element} = this.diagram;
    this.element.hidden = sheet.height * view.zoom < 2 * element.clientHeight;
    const scale = window.devicePixelRatio || 1;
    this.size =
      [Math.round(MAP_WIDTH * scale), Math.round(this.element.clientHeight * scale)];  // in pixels of the screen
    this.isStale = true;
  }
  color(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }

  drawWhole() {
    const {sheet, trace} = this.diagram, [width, height] = this.size;
    [this.whole.width, this.whole.height] = [width, height];
    const context = this.whole.getContext("2d");
    const counts = new Uint16Array(width * height), dot = Math.max(1, Math.floor(width / sheet.lanes.lanes.length) - 1);
    const scale = height / sheet.count, lanes = sheet.lanes.lanes.length, rowHeight = Math.max(1, Math.floor(scale));
    for (let place = 0; place < sheet.count; ++place) {
      const lane = sheet.laneOf(trace.threads[sheet.rows[place]]);
      if (lane >= 0) ++counts[Math.floor(place * scale) * width + Math.floor(lane / lanes * width)];
    }
    context.fillStyle = this.color("--message");
    counts.forEach((count, i) => {
      if (count === 0) return;
      context.globalAlpha = Math.min(1, 0.45 + 0.15 * count);
      context.fillRect(i % width, Math.floor(i / width), dot, rowHeight);
    });
    context.globalAlpha = 1;
    const line = (row, color) => {
      context.fillStyle = color;
      context.fillRect(0, Math.floor(sheet.before[row] * scale), width, Math.max(2, rowHeight));
    };
    const [hit, bad, stuck] = ["--hit", "--bad", "--stuck"].map((name) => this.color(name));
    for (const step of found.steps) if (step <= trace.length && sheet.shows(step - 1)) line(step - 1, hit);
    for (let r = 0; r < trace.length; ++r)
      if (trace.kind(r) !== STEP && sheet.shows(r)) line(r, trace.kind(r) === STUCK ? stuck : bad);
    this.isStale = false;
  }

  paint() {
    if (this.element.hidden || this.diagram.sheet.count === 0 || !this.diagram.painted) return;
    const [width, height] = this.size;
    if (width === 0 || height === 0) return;
    if (this.isStale || this.whole.width !== width || this.whole.height !== height) this.drawWhole();
    if (this.element.width !== width || this.element.height !== height)
      [this.element.width, this.element.height] = [width, height];
    const {sheet, step} = this.diagram, context = this.element.getContext("2d"), seen = this.diagram.painted.seen;
    const at = (y) => (y - TOP) / (ROW * sheet.count) * height;
    context.clearRect(0, 0, width, height);
    context.drawImage(this.whole, 0, 0);
    this.colors ??= [this.color("--fg"), this.color("--warn")];
    const [fg, here] = this.colors;
    context.fillStyle = fg;
    context.globalAlpha = 0.18;
    context.fillRect(0, at(seen.top), width, Math.max(4, at(seen.bottom) - at(seen.top)));
    context.globalAlpha = 1;
    context.fillStyle = here;
    if (step > 0) context.fillRect(0, Math.floor(at(sheet.y(step - 1))) - 1, width, 3);
  }
  recolored() {
    this.colors = undefined;
    this.isStale = true;
    this.paint();
  }
}
