import { round as rounded } from '../numbers.js';

/** Below this share of its value in the floor, a ratio has fallen; what is above differs between runs of one build. */
const TOLERATED = 0.85;

/**
 * Rows of reach with the floor as their target in place of their goal. `floor`: the usual ratio of each case, by name;
 * throws unless it has exactly the cases of the rows.
 */
export function withFloor(rows, floor) {
  const [names, known] = [rows.map((row) => row.case), Object.keys(floor)];
  const unknown = [
    ...known.filter((name) => !names.includes(name)),
    ...names.filter((name) => !known.includes(name)),
  ];
  if (unknown.length > 0) throw new Error(`bench/floor.json and the cases differ: ${unknown.join('; ')}`);
  return rows.map((row) => {
    const least = rounded(floor[row.case] * TOLERATED, 3);
    const comparable = row.met !== null;
    return { ...row, target: `>= ${least}`, met: comparable ? row.ratio >= least : null };
  });
}

/** The rows in which those of a second measurement replace the first: a ratio must fall twice in a row to be missed. */
export function withSecond(rows, second) {
  return rows.map((row) => second.find((again) => again.case === row.case) ?? row);
}

export const fallen = (rows) => rows.filter(({ met }) => met === false).map((row) => row.case);
