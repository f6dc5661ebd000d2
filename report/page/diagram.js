// The diagram of a trace. Only what can be seen of it is in the page.

const HEADS = 28; // the height of the heads of lanes, in pixels
const BEYOND = 8; // rows that are drawn above and below those that can be seen

class Diagram {
  constructor(trace) {
    this.trace = trace;
    this.sheet = new Sheet(trace);
    this.step = 0;
    this.fork = -1; // the first row that the other trace does not have
    this.differs = new Set(); // that row, and those whose receives get another message than in the other trace
    this.element = make("div", "view");
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", `trace ${trace.number}: space-time diagram`);
    this.heads = make("div", "lanes");
    this.paper = make("div", "sheet");
    this.element.append(this.heads, this.paper);
    this.element.addEventListener("scroll", () => this.later());
    this.paper.addEventListener("click", (event) => {
      const y = (event.clientY - this.paper.getBoundingClientRect().top) / view.zoom;
      const place = this.sheet.placeAt(y);
      if (place >= 0 && place < this.sheet.count) go(this.sheet.rows[place] + 1);
    });
  }

  layout() {
    const {sheet, element} = this;
    sheet.choose(view.lanes);
    this.paper.style.height = `${sheet.height * view.zoom}px`; // first, because it may take a scroll bar
    sheet.layout(element.clientWidth);
    for (const part of [this.paper, this.heads]) part.style.width = `${sheet.width * view.zoom}px`;
    this.shownHeads = "";
    this.painted = null;
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.isPainted()) this.painted.seen = this.window();
      else this.paint();
      this.afterScroll?.();
    });
  }

  /** What can be seen of the sheet, in its units. */
  window() {
    const {scrollTop, scrollLeft, clientHeight, clientWidth} = this.element, zoom = view.zoom;
    return {top: scrollTop / zoom, bottom: (scrollTop + clientHeight - HEADS) / zoom, left: scrollLeft / zoom,
      right: (scrollLeft + clientWidth) / zoom};
  }
  isPainted() {
    const {top, bottom, left, right} = this.window(), p = this.painted;
    return p !== null && left === p.left && right === p.right && (top >= p.top || p.first === 0) &&
      (bottom <= p.bottom || p.last === this.sheet.count - 1);
  }

  paint() {
    const {sheet, trace} = this, {top, bottom, left, right} = this.window();
    const first = clamp(sheet.placeAt(top) - BEYOND, 0, Math.max(sheet.count - 1, 0));
    const last = clamp(sheet.placeAt(bottom) + BEYOND, first - 1, sheet.count - 1);
    const y0 = first === 0 ? 0 : TOP + ROW * first,
          y1 = last === sheet.count - 1 ? sheet.height : TOP + ROW * (last + 1);
    this.painted = {first, last, top: y0, bottom: y1, left, right, seen: {top, bottom}};
    const svg = draw("svg", {width: (right - left) * view.zoom, height: (y1 - y0) * view.zoom,
      viewBox: `${left} 0 ${right - left} ${y1 - y0}`});
    svg.style.top = `${y0 * view.zoom}px`;
    svg.style.left = `${left * view.zoom}px`;
    this.id = `head${trace.number}`;
    const marker = draw("marker", {id: this.id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8,
      orient: "auto-start-reverse", markerUnits: "userSpaceOnUse"}, draw("defs", {}, svg));
    draw("path", {class: "head", d: "M0 0L8 4L0 8z"}, marker);
    if (trace.reads) {
      const vee = draw("marker", {id: `${this.id}-reads`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9,
        markerHeight: 9, orient: "auto", markerUnits: "userSpaceOnUse"}, marker.parentNode);
      draw("path", {class: "vee", d: "M1 0.5L7 4L1 7.5"}, vee);
    }
    this.bands(svg);
    this.lanes(svg);
    this.messages(svg);
    this.lockNames(svg);
    this.marks(svg);
    this.gutter(svg);
    this.paper.replaceChildren(svg);
    this.paintHeads();
  }

  *visible() {
    for (let place = this.painted.first; place <= this.painted.last; ++place) yield this.sheet.rows[place];
  }
  /** The y of a row in what is painted. */
  y(row) { return this.sheet.y(row) - this.painted.top; }
  css(row) {
    const kind = this.trace.kind(row);
    const kindCss = kind === ASSERTION || kind === ASSUMPTION ? " bad" : kind === STUCK ? " stuck" : "";
    return "row" + (row === this.step - 1 ? " here" : "") + kindCss + (found.has(row + 1) ? " found" : "") +
      (this.differs.has(row) ? " differs" : "");
  }

  bands(svg) {
    const {left, right} = this.painted;
    for (const r of this.visible())
      draw(
        "rect", {class: "band", x: left, y: this.y(r) - ROW / 2, width: right - left, height: ROW},
        draw("g", {class: this.css(r)}, svg));
    const line = (css, row, x = left) =>
      draw("path", {class: css, d: `M${x} ${this.y(row) - (this.sheet.shows(row) ? ROW / 2 : 0)}H${right}`}, svg);
    if (this.fork >= 0 && this.fork < this.trace.length) line("fork", this.fork);
    if (this.step > 0 && !this.sheet.shows(this.step - 1))
      tip(line("hidden", this.step - 1), "this step is of a hidden thread");
  }

  lanes(svg) {
    const {sheet, trace} = this, {left, right} = this.painted, height = this.painted.bottom - this.painted.top;
    const firstLane = Math.max(0, Math.floor((left - sheet.laneX(0)) / sheet.lane) - 1);
    const lastLane = Math.min(sheet.lanes.lanes.length - 1, Math.ceil((right - sheet.laneX(0)) / sheet.lane));
    this.seenLanes = [firstLane, lastLane];
    this.takes = []; // of locks that are in sight: {row, x, name}
    const acting = this.step > 0 ? sheet.laneOf(trace.threads[this.step - 1]) : -1;
    for (let lane = firstLane; lane <= lastLane; ++lane) {
      const threads = sheet.lanes.lanes[lane], x = sheet.laneX(lane);
      const ends = threads.map((t) => trace.lanes[t]);
      const isFinished = ends.every(([, kind]) => kind === FINISHED), lastRow = Math.max(...ends.map(([row]) => row));
      const end = (!isFinished ? sheet.bottom : lastRow < 0 ? TOP : sheet.y(lastRow) + 9) - this.painted.top;
      if (end < 0) continue;
      const foot = isFinished && end < height ? "m-5 0h10" : "";
      draw(
        "path", {class: lane === acting ? "lane acting" : "lane", d: `M${x} 0V${Math.min(end, height)}${foot}`}, svg);
      if (threads.length === 1) this.bars(svg, threads[0], x);
      if (threads.length === 1) this.locks(svg, threads[0], x);
      if (!isFinished && trace.end === "deadlock" && end < height) this.mark(svg, STUCK, x, end);
    }
  }
  /** Narrow bars left of the lane: the thread holds locks. */
  locks(svg, thread, x) {
    const {sheet, trace, painted} = this;
    if (sheet.count === 0) return;
    (trace.holds[thread] ?? []).forEach((holds, slot) => {
      const left = x - 9 - 5 * Math.min(slot, 3);
      for (const {from, to, name} of holds.inRows(sheet.rows[painted.first], sheet.rows[painted.last])) {
        const y = this.y(from), end = to < 0 ? sheet.bottom - painted.top : this.y(to);
        const bar = draw("rect", {class: "lock", x: left, y, width: 4, height: Math.max(end - y, 1), rx: 2}, svg);
        tip(bar, `holds ${name} from entry ${from}, ${to < 0 ? "to the end" : `to entry ${to}`}`);
        if (sheet.before[from] >= painted.first) this.takes.push({row: from, x: left - 3, name});
      }
    });
  }
  /** Where a thread takes a lock, the name of the lock. */
  lockNames(svg) {
    if (!view.names) return;
    for (const {row, x, name} of this.takes) {
      const space = this.rowSpaces.get(this.sheet.before[row]), text = cut(name, LOCK_NAME);
      const interval = [x - columns(text) * SMALL_CHARACTER, x + 12];
      if (space === undefined || interval[0] < this.bounds[0]) continue;
      space.texts.push(interval);
      draw("text", {class: "lock-name", x, y: this.y(row) + 4, "text-anchor": "end"}, svg).textContent = text;
    }
  }
  /** Where a thread stands at waits. */
  bars(svg, thread, x) {
    const {sheet, trace} = this, {first, last} = this.painted;
    if (sheet.count === 0) return;
    const height = this.painted.bottom - this.painted.top, lastRow = sheet.rows[last];
    const bar = (since, end) => {
      const begin = Math.max(since < 0 ? 0 : this.y(since), 0);
      if (Math.min(end, height) > begin)
        draw("rect", {class: "wait", x: x - 4, y: begin, width: 8, height: Math.min(end, height) - begin, rx: 3}, svg);
    };
    const rows = trace.rowsOf[thread];
    for (let i = lowerBound(rows, sheet.rows[first]); i < rows.length && trace.since[rows[i]] <= lastRow; ++i)
      if (trace.isWait(rows[i])) bar(trace.since[rows[i]], this.y(rows[i]));
    const [end, kind] = trace.lanes[thread];
    if (kind === AT_WAIT) bar(end, sheet.bottom - this.painted.top);
  }

  messages(svg) {
    const {sheet, painted} = this, {first, last, top, bottom, left, right} = painted;
    this.bounds = [left + sheet.gutter, right - 6];
    this.arrows = [];
    this.rowSpaces = new Map();
    this.gaps = new Map(); // between a row and the next
    for (let place = first - 1; place <= last; ++place) {
      this.rowSpaces.set(place, new RowSpace());
      this.gaps.set(place, new RowSpace());
    }
    if (sheet.count === 0) return;
    const arrows = new Arrows(
      sheet, first === 0 ? 0 : sheet.rows[first], last === sheet.count - 1 ? this.trace.length : sheet.rows[last],
      this.step);
    for (const line of arrows.lines) {
      const [[x1], [x2]] = line.points;
      if (Math.max(x1, x2) < left || Math.min(x1, x2) > right) continue;
      const isOther = line.kind === "message" && this.differs.has(this.trace.messages.done[line.index]);
      const path = draw("path", {class: `${line.kind}${line.css}${isOther ? " differs" : ""}`, d: line.d([top, bottom])}, svg);
      if (line.hasHead) path.setAttribute("marker-end", `url(#${this.id}${line.kind === "reads" ? "-reads" : ""})`);
      tip(path, line.source.story(line.index));
      this.occupy(line);
      this.arrows.push(line);
    }
    this.element.classList.toggle("crowded", !arrows.all); // not all that pass are drawn; page.css says so
  }
  /** Texts keep away from the line, above all from its head. */
  occupy(line) {
    const {first, last} = this.painted, [[, y1], [x2, y2]] = line.points;
    const from = Math.max(first, this.sheet.placeAt(Math.min(y1, y2) - 9)),
          to = Math.min(last, this.sheet.placeAt(Math.max(y1, y2) + 9));
    for (let place = from; place <= to; ++place) {
      const y = TOP + ROW * (place + 0.5), part = partBetween(line.points, y - 8, y + 7);
      if (part !== null) this.rowSpaces.get(place).lines.push(part);
    }
    if (!line.hasHead) return;
    const [x, y] = line.head ?? [x2, y2], place = this.sheet.placeAt(y), head = [x - 9, x + 9];
    this.rowSpaces.get(place)?.heads.push(head);
    const within = (y - TOP) / ROW - place;
    if (within < 0.3) this.gaps.get(place - 1)?.heads.push(head);
    if (within > 0.7) this.gaps.get(place)?.heads.push(head);
  }

  marks(svg) {
    const {sheet, trace} = this;
    for (const r of this.visible()) {
      const place = sheet.before[r], x = sheet.x(trace.threads[r]), y = this.y(r);
      const g = draw("g", {class: this.css(r), "data-row": r}, svg);
      this.mark(g, trace.kind(r), x, y);
      const row = trace.row(r), values = this.values(row), space = this.rowSpaces.get(place);
      const who =
        trace.threads[r] >= 0 && sheet.lanes.isShared(sheet.laneOf(trace.threads[r])) ? `${trace.threads[r]}: ` : "";
      this.rowText(g, r, space, x, who + row.text, values);
      const thread = trace.threads[r] < 0 ? "" : `, ${THREAD} ${trace.threads[r]}`;
      tip(g, `entry ${r}${row.rho && ", " + row.rho}${thread}: ${row.text}${row.why && "; " + row.why}`);
    }
    if (view.names) this.names(svg);
  }
  rowText(g, r, space, x, text, values) {
    const [from, to] = this.bounds, y = this.y(r) + 4;
    if (x < from - 4 || x > to) { // the mark cannot be seen: at least who acts, and what it does
      const isLeft = x < from, what = `${THREAD} ${this.trace.threads[r]}: ${text.replace(/^\d+: /, "")}`;
      const short = cut(what, Math.min(40, Math.floor((to - from) / CHARACTER) - 3));
      draw("text", {class: "away", x: isLeft ? from + 2 : to, y, "text-anchor": isLeft ? "start" : "end"}, g)
        .textContent = isLeft ? `◂ ${short}` : `${short} ▸`;
      return;
    }
    const at = placeText(space, x, columns(text) * CHARACTER, this.bounds);
    const characters = Math.floor(at.room / CHARACTER), left = characters - columns(text) - 2;
    const element = draw("text", {x: at.x, y, "text-anchor": at.anchor}, g);
    element.textContent = cut(text, characters);
    if (!values || left < Math.min(12, columns(values))) return;
    const shown = cut(values, left), width = (columns(shown) + 2) * CHARACTER,
          end = at.x + (columns(text) + 2) * CHARACTER;
    if (at.anchor === "start" && !space.isFree([end, end + width])) return;
    draw("tspan", {class: "value"}, element).textContent = `  ${shown}`;
  }
  mark(g, kind, x, y) {
    if (kind === STEP) draw("circle", {class: "dot", cx: x, cy: y, r: 4}, g);
    else if (kind === STUCK) draw("rect", {class: "square", x: x - 5, y: y - 5, width: 10, height: 10}, g);
    else if (kind === UNFINISHED) draw("circle", {class: "open", cx: x, cy: y, r: 4}, g);
    else draw("path", {class: "cross", d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`}, g);
  }
  /** What a row puts into the store, unless its text says so. */
  values(row) {
    if (row.why) return row.why;
    const stored =
      row.changes.filter(([container]) => container === STORE).map(([, key, , after]) => `${key} = ${after}`);
    return stored.filter((text) => !row.text.includes(text)).slice(0, 3).join(", ");
  }
  /** The messages' names, in the gaps between rows. */
  names(svg) {
    const {first, last, top} = this.painted;
    for (const line of this.arrows) {
      if (!line.isNamed) continue;
      const [[x1, y1], [x2, y2]] = line.points, low = Math.min(y1, y2), high = Math.max(y1, y2);
      const from = Math.max(first - 1, this.sheet.placeAt(low + 4)), to = Math.min(last, this.sheet.placeAt(high - 6));
      const gaps = [];
      for (let gap = from; gap <= Math.max(from, to); ++gap) if (this.gaps.has(gap)) gaps.push(gap);
      if (gaps.length === 0) continue;
      const heightOf = (gap) => TOP + ROW * (gap + 1);
      const at = (gap) =>
        y2 === y1 ? (x1 + x2) / 2 : x1 + (x2 - x1) * clamp((heightOf(gap) - y1) / (y2 - y1), 0.1, 0.8);
      const text = cut(line.source.text(line.index) + line.suffix, 40);
      const place = placeName(this.gaps, gaps, at, columns(text) * SMALL_CHARACTER, this.bounds);
      if (place === null) continue;
      draw(
        "text", {class: `name ${line.kind}-name${line.css}`, x: place.x, y: heightOf(place.row) - top + 3.5, "text-anchor": "middle"},
        svg)
        .textContent = text;
    }
  }

  /** Entries and locations stay at the left. */
  gutter(svg) {
    const {sheet, trace} = this, {left} = this.painted;
    draw(
      "rect", {class: "cover", x: left, y: 0, width: sheet.gutter - 4, height: this.painted.bottom - this.painted.top},
      svg);
    for (const r of this.visible()) {
      const g = draw("g", {class: this.css(r)}, svg);
      draw("rect", {class: "band", x: left, y: this.y(r) - ROW / 2, width: sheet.gutter - 4, height: ROW}, g);
      if (this.differs.has(r)) draw("text", {class: "mark", x: left + 1, y: this.y(r) + 4}, g).textContent = "≠";
      draw("text", {class: "gutter", x: left + 10, y: this.y(r) + 4}, g).textContent =
        `${String(r).padStart(sheet.digits)}  ${cutLabel(trace.label(r), sheet.location)}`;
    }
  }

  /** The heads of the lanes that can be seen. */
  paintHeads() {
    const {sheet} = this, [first, last] = this.seenLanes, pixels = sheet.lane * view.zoom;
    const acting = this.step > 0 ? sheet.laneOf(this.trace.threads[this.step - 1]) : -1;
    const shown = [first, last, pixels, acting, sheet.lanes.toString()].join();
    const clip = (this.painted.left + sheet.gutter) * view.zoom - 6;
    if (shown !== this.shownHeads) {
      this.shownHeads = shown;
      const focused = this.heads.contains(document.activeElement) ? document.activeElement.dataset.lane : null;
      const heads = [];
      for (let lane = first; lane <= last; ++lane) heads.push(this.head(lane, pixels, lane === acting));
      this.heads.replaceChildren(...heads);
      if (focused !== null) this.heads.querySelector(`[data-lane="${focused}"]`)?.focus({preventScroll: true});
    }
    for (const head of this.heads.children)
      head.style.visibility = this.headLeft(Number(head.dataset.lane)) < clip ? "hidden" : "";
  }
  headLeft(lane) { return this.sheet.laneX(lane) * view.zoom - 5; }
  head(lane, pixels, isActing) {
    const name = this.sheet.lanes.name(lane), short = this.sheet.lanes.shortName(lane);
    const fits = (text) => (text.length + 0.5) * CHARACTER <= pixels;
    const every = Math.ceil((short.length + 0.5) * CHARACTER / pixels);
    const text = fits(name) ? name : fits(short) || isActing || lane % every === 0 ? short : "";
    const button = make("button", isActing ? "acting" : text === "" ? "small" : "", text);
    button.style.left = `${this.headLeft(lane)}px`;
    button.style.minWidth = `${Math.min(pixels, 12)}px`;
    button.dataset.lane = lane;
    button.title = button.ariaLabel = name;
    button.setAttribute("aria-haspopup", "menu");
    return button;
  }

  /** Moves to a step, which stays in sight. */
  go(step) {
    this.step = step;
    if (step === 0) {
      this.element.scrollTop = 0;
      return;
    }
    const {sheet, trace, element} = this, zoom = view.zoom, margin = 3 * ROW * zoom;
    const y = sheet.y(step - 1) * zoom, {scrollTop, clientHeight} = element;
    const isFar = y < scrollTop - clientHeight || y > scrollTop + 2 * clientHeight;
    if (isFar) element.scrollTop = Math.max(0, y - clientHeight / 2);
    else if (y - margin < scrollTop) element.scrollTop = Math.max(0, y - margin);
    else if (y + margin + HEADS > scrollTop + clientHeight) element.scrollTop = y + margin + HEADS - clientHeight;
    if (view.follow && sheet.laneOf(trace.threads[step - 1]) >= 0) this.follow(step - 1);
  }
  /** Scrolls sideways to the thread of a row and, if there is room, to the sender of what it gets. */
  follow(row) {
    const {sheet, trace, element} = this, zoom = view.zoom, x = sheet.x(trace.threads[row]);
    const room = element.clientWidth / zoom - sheet.gutter;
    let [from, to] = [x - 30, x + Math.min(170, room - 40)];
    for (const i of trace.messages.byDelivery.between(row, row).subarray(0, 4)) {
      const sender = trace.messages.from(i);
      if (!sheet.lanes.shows(sender)) continue;
      const [least, most] = [Math.min(from, sheet.x(sender) - 30), Math.max(to, sheet.x(sender) + 30)];
      if (most - least <= room) [from, to] = [least, most];
    }
    const left = element.scrollLeft / zoom;
    if (from < left + sheet.gutter) element.scrollLeft = Math.max(0, (from - sheet.gutter) * zoom);
    else if (to > left + sheet.gutter + room) element.scrollLeft = (to - sheet.gutter - room) * zoom;
  }
}
