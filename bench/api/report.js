/** Text columns; the rest are aligned right. */
const TO_THE_LEFT = new Set([0, 5]);
const HEAD = ['case', 'service', 'yardstick', 'ratio', 'target', 'met'];

/** The parts of the bench as plain tables of equal width. */
export function tables(parts) {
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...parts.flatMap(({ rows }) => rows.map((row) => cells(row)[column].length))),
  );
  return parts.map((part) => table(part, widths)).join('\n');
}

/** The last line of a bench; null when all replies matched. */
export function closingLine(parts) {
  const names = parts.flatMap(({ rows }) => rows.filter(({ differs }) => differs).map((row) => row.case));
  return names.length === 0 ? null : `Replies differ, so these cases are not comparable: ${names.join('; ')}`;
}

/** The targets that were missed, as they are listed at the end of a run. */
export function missedIn(parts) {
  const rows = parts.flatMap((part) => part.rows).filter(({ met }) => met === false);
  return rows.map((row) => `${row.case}: ${row.ratio ?? row.service} (${row.target})`);
}

function table({ title, rows, note }, widths) {
  const lines = [HEAD, ...rows.map(cells)].map((line) => lineOf(line, widths));
  return [title, ...(rows.length > 0 ? lines : []), ...(note ? [note] : []), ''].join('\n');
}

const cells = ({ case: name, service, yardstick, ratio, target, met, differs }) => [
  name,
  service ?? '-',
  yardstick ?? '-',
  ratio === null ? '-' : ratio.toFixed(2),
  target ?? '-',
  differs ? 'not comparable' : met === null ? '-' : met ? 'yes' : 'NO',
];

function lineOf(line, widths) {
  return line
    .map((cell, column) =>
      TO_THE_LEFT.has(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    .join('  ')
    .trimEnd();
}
