/** Words; what is compared stands to the right. */
const TO_THE_LEFT = new Set([0, 5]);
const HEAD = ['case', 'service', 'beside it', 'ratio', 'wanted', 'met'];

/** The parts of the bench as plain tables of the same width. */
export function tables(parts) {
  const widths = HEAD.map((head, column) =>
    Math.max(head.length, ...parts.flatMap(({ rows }) => rows.map((row) => cells(row)[column].length))),
  );
  return parts.map((part) => table(part, widths)).join('\n');
}

function table({ title, rows, note }, widths) {
  const lines = [HEAD, ...rows.map(cells)].map((line) => lineOf(line, widths));
  return [title, ...(rows.length > 0 ? lines : []), ...(note ? [note] : []), ''].join('\n');
}

const cells = ({ case: name, service, beside, ratio, wanted, met }) => [
  name,
  service ?? '-',
  beside ?? '-',
  ratio === null ? '-' : ratio.toFixed(2),
  wanted ?? '-',
  met === null ? '-' : met ? 'yes' : 'NO',
];

function lineOf(line, widths) {
  return line
    .map((cell, column) =>
      TO_THE_LEFT.has(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
    )
    .join('  ')
    .trimEnd();
}
