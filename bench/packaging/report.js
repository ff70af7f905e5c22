import { round } from '../numbers.js';
import { table } from '../table.js';
import { YARDSTICK } from './sides.js';

/** By kind of work: at most this many times what FFmpeg takes, and this many MB. Sound alone is only reported. */
const TARGETS = {
  copy: { wall: 3, cpu: 3, megabytes: 300 },
  // The same encoder with the same preset; a packager also inspects the file, and writes a thumbnail and one more file.
  video: { wall: 1.2, cpu: 1.2 },
  sound: {},
};
const UNITS = { wall: 'times the time', cpu: 'times the CPU time', megabytes: 'MB' };

/** A row for each case and side, with ratios to FFmpeg and the targets that were missed. */
export function rowsOf(cases) {
  return cases.flatMap(({ source, measured }) => {
    const yardstick = measured.find(({ side }) => side === YARDSTICK);
    return measured.map((one) => {
      const row = { case: source.name, work: source.work, ...one };
      if (one === yardstick) return row;
      const ratios = {
        wall: ratio(one.seconds, yardstick.seconds),
        cpu: ratio(one.cpuSeconds, yardstick.cpuSeconds),
      };
      return {
        ...row,
        ratios,
        missed: missed(TARGETS[source.work], { ...ratios, megabytes: one.megabytes }),
      };
    });
  });
}

export function missedIn(rows) {
  return rows.flatMap((row) => (row.missed ?? []).map((what) => `${row.case}, ${row.side}: ${what}`));
}

/** The measurements as a plain table. */
export function report({ cores, node, ffmpeg, rounds, rows }) {
  const head = ['case', 'side', 'wall', 'CPU', 'peak memory', 'wall, ratio', 'CPU, ratio', 'targets met'];
  const cells = rows.map((row) => [
    row.case,
    row.side,
    shown(row.seconds, ' s'),
    shown(row.cpuSeconds, ' s'),
    shown(row.megabytes, ' MB', 0),
    shown(row.ratios?.wall, ''),
    shown(row.ratios?.cpu, ''),
    metIn(row),
  ]);
  const title = `Packaging; ${cores} cores, Node ${node}, FFmpeg ${ffmpeg}; medians of ${rounds}`;
  return `${[title, '', ...table(head, cells, { left: 2 }), ''].join('\n')}\n`;
}

/** Null where CPU time is not measured. */
function ratio(value, yardstick) {
  return value === undefined || !yardstick ? null : round(value / yardstick);
}

function missed(targets, values) {
  return Object.entries(targets)
    .filter(([what, most]) => typeof values[what] === 'number' && values[what] > most)
    .map(([what, most]) => `${values[what]} ${UNITS[what]} (<= ${most})`);
}

function metIn({ work, missed: all }) {
  if (!all || Object.keys(TARGETS[work]).length === 0) return '-';
  return all.length === 0 ? 'yes' : 'NO';
}

function shown(value, unit, digits = 2) {
  return typeof value === 'number' ? `${value.toFixed(digits)}${unit}` : '-';
}
