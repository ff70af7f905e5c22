import { table } from '../table.js';

const HEAD = ['case', 'side', 'CPU of its process', 'CPU of PostgreSQL', 'statements', 'WAL'];
const cell = (value, unit) => (value === null ? '-' : `${Math.round(value)} ${unit}`);

/** What each side uses per request, as a table. */
export function report(rows) {
  const lines = rows.map(({ case: name, side, process, postgres, statements, wal }) => [
    name,
    side,
    cell(process, 'µs'),
    cell(postgres, 'µs'),
    statements.toFixed(2),
    cell(wal, 'bytes'),
  ]);
  return ['Costs of a request', ...table(HEAD, lines, { left: 2 })].join('\n');
}
