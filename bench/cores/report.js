import { table } from '../table.js';

const HEAD = [
  'case',
  'processes',
  'rps',
  'CPU per request',
  'API',
  'of it primary',
  'PostgreSQL',
  'load',
  'others',
  'idle',
  'limited by',
];
const SCALING_HEAD = ['case', 'processes', 'times one', 'with cores of their own', 'target', 'met'];

/** Both tables; shares are of the whole machine. */
export function report({ rows, scaling }) {
  return [
    'Requests per second, and who used what share of the machine',
    ...table(HEAD, rows.map(cells)),
    '',
    'Scaling: as measured, and by the CPU time of the API per request',
    ...table(SCALING_HEAD, scaling.map(scalingCells)),
  ].join('\n');
}

const percent = (share) => (share === undefined ? '-' : `${Math.round(share * 100)} %`);

function cells({ case: name, processes, rps, cpu, shares, limitedBy }) {
  const { api, primary, postgres, load, others, idle } = shares ?? {};
  return [
    name,
    String(processes),
    String(rps),
    cpu === null ? '-' : `${Math.round(cpu)} µs`,
    ...[api, primary, postgres, load, others, idle].map(percent),
    limitedBy ?? '-',
  ];
}

function scalingCells({ case: name, processes, measured, possible, target, met }) {
  return [
    name,
    String(processes),
    measured.toFixed(2),
    possible === null ? '-' : possible.toFixed(2),
    target === null ? '-' : `>= ${target}`,
    met === null ? '-' : met ? 'yes' : 'NO',
  ];
}
