// The page as a whole: its panes, the step, the address, the controls and the keys.

/** A trace, with its diagram and the state at a step. */
class Pane {
  constructor(trace) {
    this.trace = trace;
    this.state = new State(trace);
    this.diagram = new Diagram(trace);
    this.map = new Minimap(this.diagram);
    this.panel = new Panel(trace, this.state);
    this.element = make("div", "pane");
    const left = make("div", "run");
    left.append(this.diagram.element, this.map.element);
    this.element.append(left, this.panel.element);
    this.diagram.afterScroll = () => this.map.paint();
    watchHeads(this.diagram);
  }
  layout() {
    this.map.element.hidden = false; // as wide as with it, so that it does not come and go
    this.diagram.layout();
    this.map.layout();
    if (this.map.element.hidden) this.diagram.layout();
  }
  paint() {
    this.diagram.paint();
    this.map.paint();
  }
  go(step) {
    this.state.go(Math.min(step, this.trace.length));
    this.diagram.go(this.state.step);
  }
}

let panes = [];
let step = 0;

const length = () => Math.max(...panes.map((pane) => pane.trace.length));

function address() {
  const parts = [];
  if (traces.length > 1) parts.push(`trace=${panes[0].trace.number}`);
  if (panes[1]) parts.push(`with=${panes[1].trace.number}`);
  if (!view.lanes.isAll) parts.push(`lanes=${view.lanes}`);
  parts.push(`step=${step}`);
  return "#" + parts.join("&");
}
/** Browsers allow so many changes of the address in a time. An address that the user has changed since is kept. */
function tellAddress() {
  clearTimeout(tellAddress.timer);
  tellAddress.timer = setTimeout(() => {
    if (location.hash !== tellAddress.known || location.hash === address()) return;
    history.replaceState(null, "", address());
    tellAddress.known = location.hash;
  }, 100);
}

function go(to) {
  step = clamp(to, 0, length());
  for (const pane of panes) pane.go(step);
  for (const pane of panes) {
    pane.paint();
    pane.panel.tell();
  }
  $("slider").value = step;
  $("where").textContent = `step ${step} of ${length()}`;
  $("slider").setAttribute("aria-valuetext", `step ${step}`);
  $("found").textContent = String(found);
  tellAddress();
}

/** One step; over the rows of threads that are hidden. */
function walk(direction) {
  const shown = panes.map((pane) => pane.diagram.sheet.nextShown(direction > 0 ? step : step - 2, direction))
                  .filter((row) => row >= 0);
  if (shown.length > 0) go((direction > 0 ? Math.min(...shown) : Math.max(...shown)) + 1);
  else go(direction > 0 && view.lanes.isAll ? length() : direction > 0 ? step : 0);
}
/** To the next row of the thread that acts. */
function walkThread(direction) {
  const {trace} = panes[0];
  if (step === 0 || step > trace.length || trace.threads[step - 1] < 0) return walk(direction);
  const rows = trace.rowsOf[trace.threads[step - 1]], at = lowerBound(rows, step - 1) + direction;
  if (at >= 0 && at < rows.length) go(rows[at] + 1);
}

/** After anything but the step has changed. */
function refresh() {
  for (const pane of panes) pane.layout();
  for (const pane of panes) pane.map.isStale = true;
  go(step);
}
function zoom(to) {
  view.zoom = clamp(to, 0.25, 3);
  $("zoom").textContent = `${Math.round(view.zoom * 100)}%`;
  refresh();
}
function fit(isOn) {
  view.fit = isOn;
  $("fit").setAttribute("aria-pressed", String(isOn));
  refresh();
}
function toggle(box) {
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change"));
}

function show(trace, beside) {
  const chosen = [trace];
  if (beside !== null && beside !== trace) chosen.push(beside);
  panes = chosen.map((t) => new Pane(traces[t]));
  if (panes[1]) [panes[0].panel.other, panes[1].panel.other] = [panes[1].state, panes[0].state];
  $("panes").className = panes[1] ? "two" : "";
  $("panes").replaceChildren(...panes.map((pane) => pane.element));
  $("trace").value = String(trace);
  $("with").value = panes[1] ? String(beside) : "";
  $("slider").max = length();
  $("differences").hidden = !panes[1];
  if (panes[1]) {
    const both = panes.map((pane) => pane.trace), fork = forkOf(...both);
    const rows = differingRows(both, fork);
    panes.forEach((pane, i) => {
      pane.diagram.fork = fork;
      pane.diagram.differs = rows[i];
    });
    $("differences").replaceChildren(...differences(both, fork).map((line) => make("div", "", line)));
  }
  for (const pane of panes) pane.layout();
  search();
}

// ----------------------------------------------------------------------------------------------------------------------
function search() {
  found.start($("search").value.trim().toLowerCase(), panes.map((pane) => pane.trace), () => {
    for (const pane of panes) {
      pane.map.isStale = true;
      if (pane.diagram.painted) pane.paint();
    }
    $("found").textContent = String(found);
    const to = found.wish ? found.next(step, found.wish) : null;
    if (to === null) return;
    found.wish = 0;
    go(to);
  });
  $("found").textContent = String(found);
}
function next(direction) {
  const to = found.next(step, direction);
  if (to !== null) go(to);
}

// ----------------------------------------------------------------------------------------------------------------------
function fromAddress() {
  tellAddress.known = location.hash;
  const wanted = new URLSearchParams(location.hash.slice(1));
  const index = (name) => traces.findIndex((trace) => String(trace.number) === wanted.get(name));
  const isSaid = wanted.has("trace") || wanted.has("with");
  const trace = Math.max(index("trace"), 0), beside = data.beside && !isSaid ? traces.length - 1 : index("with");
  const count = traces[trace].lanes.length;
  view.lanes = Lanes.read(wanted.get("lanes") ?? "", count) ?? Lanes.all(count);
  show(trace, beside < 0 ? null : beside);
  const to = Number.parseInt(wanted.get("step") ?? "0", 10);
  step = Number.isNaN(to) ? 0 : to;
  chooseLanes(view.lanes);
}

function watchSteps() {
  $("file").textContent = `${data.file} (${data.buffering} buffering)`;
  const none = make("option", "", "none");
  none.value = "";
  $("with").append(none);
  traces.forEach((trace, t) => {
    for (const select of [$("trace"), $("with")]) {
      const option = make("option", "", `${trace.number}: ${trace.end}`);
      option.value = String(t);
      select.append(option);
    }
  });
  $("with-label").hidden = traces.length < 2;
  const chosen = () => {
    show(Number($("trace").value), $("with").value === "" ? null : Number($("with").value));
    go(step);
  };
  $("trace").addEventListener("change", chosen);
  $("with").addEventListener("change", chosen);
  $("slider").addEventListener("input", () => go(Number($("slider").value)));
  $("first").addEventListener("click", () => go(0));
  $("back").addEventListener("click", () => walk(-1));
  $("forth").addEventListener("click", () => walk(1));
  $("last").addEventListener("click", () => go(length()));
  $("shared-help").hidden = !data.shared;
  $("ask").addEventListener("click", () => $("help").showModal());
  $("search").addEventListener("input", search);
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter") next(event.shiftKey ? -1 : 1);
    else if (event.key !== "Escape") return;
    $("search").blur();
    event.preventDefault();
  });
}

function watchView() {
  const count = traces[0].lanes.length;
  watchThreadsDialog(count);
  $("smaller").addEventListener("click", () => zoom(view.zoom / 1.25));
  $("larger").addEventListener("click", () => zoom(view.zoom * 1.25));
  $("zoom").addEventListener("click", () => zoom(1));
  $("fit").addEventListener("click", () => fit(!view.fit));
  $("follow").addEventListener("change", () => { view.follow = $("follow").checked; go(step); });
  $("names").addEventListener("change", () => { view.names = $("names").checked; go(step); });
  $("changed").addEventListener("change", () => { filter.changed = $("changed").checked; go(step); });
  $("name").addEventListener("input", () => { filter.name = $("name").value.trim().toLowerCase(); go(step); });
  for (const [value, text] of [
         ["", "all"], ["acting", "that acts"],
         ...Array.from({length: Math.min(count, 4096)}, (_, t) => [String(t), String(t)])]) {
    const option = make("option", "", text);
    option.value = value;
    $("of-thread").append(option);
  }
  $("of-thread").previousSibling.textContent = `of ${THREAD} `;
  $("of-thread").addEventListener("change", () => { filter.thread = $("of-thread").value; go(step); });
  const setOpen = (isOpen) => {
    $("view").hidden = !isOpen;
    $("more").setAttribute("aria-expanded", String(isOpen));
  };
  $("more").addEventListener("click", () => { setOpen($("view").hidden); refresh(); });
  setOpen(window.matchMedia("(min-width: 801px)").matches);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const pane of panes) pane.map.recolored();
  });
}

function watchKeys() {
  const keys = {
    j: () => walk(1),
    ArrowRight: () => walk(1),
    ArrowDown: () => walk(1),
    k: () => walk(-1),
    ArrowLeft: () => walk(-1),
    ArrowUp: () => walk(-1),
    "]": () => walkThread(1),
    "[": () => walkThread(-1),
    Home: () => go(0),
    End: () => go(length()),
    PageDown: () => go(step + 20),
    PageUp: () => go(step - 20),
    n: () => next(1),
    N: () => next(-1),
    "/": () => {
      $("search").focus();
      $("search").select();
    },
    "+": () => zoom(view.zoom * 1.25),
    "-": () => zoom(view.zoom / 1.25),
    0: () => zoom(1),
    f: () => fit(!view.fit),
    t: () => $("threads").click(),
    m: () => toggle($("names")),
    a: () => toggle($("follow")),
    c: () => toggle($("changed")),
    "?": () => $("help").showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (["search", "text", "number"].includes(event.target.type)) return;
    if (event.target.tagName === "SELECT" && event.key.length > 1) return; // arrows choose there
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!act) return;
    event.preventDefault(); // of the slider and of scrolling too
    act();
  });
}

watchSteps();
watchView();
watchKeys();
window.addEventListener("hashchange", fromAddress);
window.addEventListener("resize", refresh);
fromAddress();
performance.mark("shown");
requestAnimationFrame(() => setTimeout(() => performance.mark("painted"))); // bench/page reads these marks
