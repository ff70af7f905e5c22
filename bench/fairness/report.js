const WAIT_HEAD = ['p99', 'ratio'];

/** The loads as one table: the good user's waits under each, and their ratio to the quiet value. */
export function table({ quiet, loads }) {
  const names = Object.keys(quiet.operations);
  const rows = [
    ['', ...names.flatMap((name) => [name, '']), 'COMPLETED'],
    ['load', ...names.flatMap(() => WAIT_HEAD), 'after'],
    ['no load', ...names.flatMap((name) => [milliseconds(quiet.operations[name].p99), '']), seconds(quiet)],
    ...loads.map((load) => [
      `${load.id.padEnd(2)} ${load.load}`,
      ...names.flatMap((name) => waitCells(load.operations[name])),
      seconds(load),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd(),
  );
  return `${[...lines, ...loads.flatMap(furtherLines)].join('\n')}\n`;
}

/** Operations measured under one load only. */
function furtherLines({ id, further }) {
  return Object.entries(further).map(
    ([name, { quiet, loaded }]) =>
      `${name}: p99 ${milliseconds(quiet.p99)}, ${milliseconds(loaded.p99)} under load ${id}`,
  );
}

const waitCells = ({ p99, ratio, met }) => [
  milliseconds(p99),
  `${ratio === null ? 'none' : ratio.toFixed(1)}${met === false ? ' !' : '  '}`,
];

/** Null: no reply, or an error, for more than one request in a hundred. */
const milliseconds = (value) => (value === null ? 'no reply' : `${value.toFixed(1)} ms`);

const seconds = ({ completed }) => (completed === null ? 'not in 20 s' : `${completed.toFixed(1)} s`);
