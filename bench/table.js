/** Lines of a plain table; the first `left` columns are aligned left, the others right. */
export function table(head, rows, { left = 1 } = {}) {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column].length)),
  );
  const align = (cell, column) =>
    column < left ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  return [head, ...rows].map((row) => row.map(align).join('  ').trimEnd());
}
