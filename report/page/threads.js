// How users choose the threads of the diagrams: the menu of a lane's head, dragging it, and the dialog for all of them.

/** The lanes that are shown from now on. */
function chooseLanes(lanes) {
  view.lanes = lanes;
  $("lanes").value = lanes.toString() || `0-${lanes.count - 1}`;
  $("threads").textContent = lanes.hidden > 0 ? `${THREAD}s (${lanes.hidden} hidden)` : `${THREAD}s`;
  refresh();
}

const groupSize = () => clamp(Number.parseInt($("group").value, 10) || 8, 2, 1000000);

/** The threads of a lane, and those that they exchange messages with. */
function partners(lane) {
  const own = new Set(view.lanes.lanes[lane]), all = new Set(own);
  for (const {trace} of panes) {
    const m = trace.messages;
    for (let i = 0; i < m.sent.length; ++i) {
      if (m.to[i] < 0) continue;
      if (own.has(m.from(i))) all.add(m.to[i]);
      if (own.has(m.to[i])) all.add(m.from(i));
    }
  }
  return all;
}

const laneMenu = (() => {
  const menu = $("menu");
  let opener = null;
  const close = (focus) => {
    menu.hidden = true;
    if (focus && opener) $("panes").querySelector(`.lanes [data-lane="${opener}"]`)?.focus({preventScroll: true});
    opener = null;
  };
  const entries = (lane) => {
    const lanes = view.lanes, last = lanes.lanes.length - 1, size = groupSize(), first = lanes.lanes[lane][0];
    const group = Math.floor(first / size) * size;
    return [
      ["move left", lane > 0, () => lanes.moved(lane, lane - 1)],
      ["move right", lane < last, () => lanes.moved(lane, lane + 1)],
      ["hide", last > 0, () => lanes.without(lane)],
      ["only this and its partners", lanes.count > 1, () => lanes.only(partners(lane))],
      [
        `collapse ${THREAD}s ${group}-${Math.min(group + size, lanes.count) - 1}`, !lanes.isShared(lane),
        () => lanes.grouped(size, group / size)
      ],
      ["expand", lanes.isShared(lane), () => lanes.expanded(lane)],
      [`show all ${THREAD}s`, !lanes.isAll, () => Lanes.all(lanes.count)],
    ];
  };
  menu.addEventListener("keydown", (event) => {
    const items = [...menu.children].filter((item) => !item.disabled), at = items.indexOf(document.activeElement);
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (event.key === "Escape" || event.key === "Tab") close(true);
    else if (step) items[(at + step + items.length) % items.length].focus();
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.stopPropagation();
    if (event.key !== "Enter" && event.key !== " ") event.preventDefault();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!menu.hidden && !menu.contains(event.target)) close(false);
  });
  return {
    open(button) {
      const lane = Number(button.dataset.lane), box = button.getBoundingClientRect();
      opener = button.dataset.lane;
      menu.replaceChildren(...entries(lane).map(([text, isPossible, result]) => {
        const item = make("button", "", text);
        item.setAttribute("role", "menuitem");
        item.disabled = !isPossible;
        item.addEventListener("click", () => {
          close(true);
          chooseLanes(result());
        });
        return item;
      }));
      menu.ariaLabel = button.title;
      menu.hidden = false;
      menu.style.top = `${box.bottom + 2}px`;
      menu.style.left = `${clamp(box.left, 4, window.innerWidth - menu.offsetWidth - 4)}px`;
      menu.querySelector("button:enabled").focus();
    },
  };
})();

/** A click on a head opens its menu; dragging it moves the lane, and so do Alt and the arrows. */
function watchHeads(diagram) {
  let drag = null;
  const {heads, sheet} = diagram;
  const laneAt = (event) => {
    const x = (event.clientX - heads.getBoundingClientRect().left) / view.zoom;
    return clamp(Math.round((x - sheet.laneX(0)) / sheet.lane), 0, view.lanes.lanes.length - 1);
  };
  heads.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button");
    if (button && event.button === 0)
      drag = {lane: Number(button.dataset.lane), x: event.clientX, button, hasMoved: false};
  });
  heads.addEventListener("pointermove", (event) => {
    if (!drag || (!drag.hasMoved && Math.abs(event.clientX - drag.x) < 6)) return;
    drag.hasMoved = true;
    heads.setPointerCapture(event.pointerId);
    drag.button.style.translate = `${event.clientX - drag.x}px`;
  });
  heads.addEventListener("pointerup", (event) => {
    const done = drag;
    drag = null;
    if (done?.hasMoved) {
      diagram.shownHeads = "";
      chooseLanes(view.lanes.moved(done.lane, laneAt(event)));
    } else if (done) laneMenu.open(done.button);
  });
  heads.addEventListener("pointercancel", () => { drag = null; });
  heads.addEventListener("keydown", (event) => {
    const button = event.target.closest("button");
    if (!button || event.ctrlKey || event.metaKey) return;
    const lane = Number(button.dataset.lane), by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (event.key === "Enter" || event.key === " ") laneMenu.open(button);
    else if (event.altKey && by) {
      const to = clamp(lane + by, 0, view.lanes.lanes.length - 1);
      chooseLanes(view.lanes.moved(lane, to));
      heads.querySelector(`[data-lane="${to}"]`)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function watchThreadsDialog(count) {
  const say = (text) => { $("lanes-wrong").textContent = text; };
  const show = (lanes) => { say(""); chooseLanes(lanes); };
  const group = count > 32 ? 8 : count > 8 ? 4 : 2;
  $("group").value = group;
  $("threads").addEventListener("click", () => { say(""); $("threads-dialog").showModal(); });
  $("lanes").addEventListener("change", () => {
    const lanes = Lanes.read($("lanes").value, count);
    if (lanes) show(lanes);
    else say(`Write each thread once, from 0 to ${count - 1}: for example 0,2-${Math.max(count - 1, 2)}`);
  });
  $("lanes").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // the dialog stays
    $("lanes").dispatchEvent(new Event("change"));
  });
  $("collapse").addEventListener("click", () => show(view.lanes.grouped(groupSize())));
  $("expand").addEventListener("click", () => show(new Lanes(count, view.lanes.lanes.flat().map((t) => [t]))));
  $("show-all").addEventListener("click", () => show(Lanes.all(count)));
}
