// Two traces side by side: where they part, and how their ends differ.

/** Whether two traces differ at a row. Their lines have the same templates, so equal lines mean equal rows. */
function rowsDiffer(a, b, r) {
  if (a.kinds[r] !== b.kinds[r] || a.threads[r] !== b.threads[r]) return true;
  if (a.lines.raw(r) === b.lines.raw(r)) return false;
  const [x, y] = [a.row(r), b.row(r)];
  return x.rho !== y.rho || x.text !== y.text || JSON.stringify(x.changes) !== JSON.stringify(y.changes);
}

/** The first row at which two traces differ; -1 if they do not. */
function forkOf(a, b) {
  const shorter = Math.min(a.length, b.length);
  let r = 0;
  while (r < shorter && !rowsDiffer(a, b, r)) ++r;
  return r === a.length && r === b.length ? -1 : r;
}

/** receive -> the row that completes it, or -1; the send, as the n-th row of its thread; and the row that sends. */
function received(trace) {
  const m = trace.messages, found = new Map();
  for (let i = 0; i < m.sent.length; ++i) {
    if (m.receive(i) === "") continue;
    const sent = m.sent[i], thread = trace.threads[sent];
    found.set(m.receive(i), {row: m.done[i], send: `${thread}.${lowerBound(trace.rowsOf[thread], sent)}`, sent});
  }
  return found;
}

/** "mw.c:19 gets mw.c:28 of rank 2 | mw.c:28 of rank 1": matches of a recording that differ, told by places. */
function toldMatches(traces) {
  const [left, right] = traces.map(received), told = [];
  for (const key of [...new Set([...left.keys(), ...right.keys()])].sort(natural)) {
    const sides = [left.get(key), right.get(key)];
    if (sides[0]?.send === sides[1]?.send) continue;
    const send = (side, t) =>
      side ? `${traces[t].label(side.sent)} of ${THREAD} ${traces[t].threads[side.sent]}` : "nothing";
    const at = sides.findIndex((side) => side && side.row >= 0);
    const receive = at < 0 ? "a receive" : `${traces[at].label(sides[at].row)} of ${THREAD} ${traces[at].threads[sides[at].row]}`;
    told.push(`${receive} gets ${sides.map(send).join(" | ")}`);
  }
  return told;
}

/** For each of two traces the rows to mark: where they part, and where a receive gets another message. */
function differingRows([a, b], fork) {
  const [left, right] = [a, b].map(received), rows = [new Set(), new Set()];
  [a, b].forEach((trace, t) => { if (fork >= 0 && fork < trace.length) rows[t].add(fork); });
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    if (left.get(key)?.send === right.get(key)?.send) continue;
    [left, right].forEach((of, t) => { if (of.has(key) && of.get(key).row >= 0) rows[t].add(of.get(key).row); });
  }
  return rows;
}

/** Lines about it. */
function differences([a, b], fork) {
  const lines = [];
  const entry = (trace) => fork < trace.length ? `${trace.row(fork).rho} ${trace.row(fork).text}` : "its end";
  lines.push(fork < 0 ? "The traces do not differ." : `First difference, entry ${fork}: ${entry(a)} | ${entry(b)}`);
  if (a.status !== b.status) lines.push(`Status: ${a.status} | ${b.status}`);
  const ends = [a, b].map((trace) => { const end = new State(trace); end.go(trace.length); return end; });
  for (const [container, title] of [[MATCHES, "Matches"], [STORE, "Store"]]) {
    const [left, right] = ends.map((end) => end.cells[container].values);
    const keys =
      [...new Set([...left.keys(), ...right.keys()])].filter((key) => left.get(key) !== right.get(key)).sort(natural);
    if (data.told && container === MATCHES) {
      const all = toldMatches([a, b]);
      if (all.length > 0) lines.push(`${all.slice(0, 50).join("; ")}${all.length > 50 ? `; and ${all.length - 50} more` : ""}`);
      continue;
    }
    const told = keys.slice(0, 50).map((key) => `${key} = ${left.get(key) ?? "-"} | ${right.get(key) ?? "-"}`);
    if (keys.length > 50) told.push(`... and ${keys.length - 50} more`);
    if (keys.length > 0) lines.push(`${title} at the end: ${told.join(", ")}`);
  }
  if (fork >= 0)
    lines.push("≠ the runs differ first here, or the receive gets another message than in the other run; its arrow is thick");
  return lines;
}
