// Two traces side by side: where they part, and how their ends differ.

/** Whether two traces differ at a row. Their lines have the same templates, so equal lines mean equal rows. */
function rowsDiffer(a, b, r) {
  if (a.kinds[r] !== b.kinds[r]) return true;
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
    const told = keys.slice(0, 50).map((key) => `${key} = ${left.get(key) ?? "-"} | ${right.get(key) ?? "-"}`);
    if (keys.length > 50) told.push(`... and ${keys.length - 50} more`);
    if (keys.length > 0) lines.push(`${title} at the end: ${told.join(", ")}`);
  }
  return lines;
}
