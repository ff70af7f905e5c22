import { availableParallelism } from 'node:os';
import { median, round as rounded } from '../numbers.js';

const GROUPS = ['api', 'primary', 'postgres', 'load', 'idle'];
/** A share of the machine that makes no difference: with less of it idle, more processes cannot do more. */
const SMALL = 0.1;
/** For two processes: what they would do with cores of their own, as a multiple of one. */
const TARGET = 1.7;

/** Numbers of one case with this many processes. `taken`: of each round, `{ count, rps, ms }` and the CPU time of each group. */
export function resultOf({ name, processes, taken }) {
  const sum = (field) => taken.reduce((total, one) => total + one[field], 0);
  const known = taken.every(({ api, postgres }) => api !== null && postgres !== null);
  const machine = sum('ms') * 1000 * availableParallelism();
  const used = Object.fromEntries(GROUPS.map((group) => [group, sum(group) / machine]));
  const shares = known ? withOthers(used, processes) : null;
  return {
    case: name,
    processes,
    rps: Math.round(median(taken.map(({ rps }) => rps))),
    cpu: known ? rounded(sum('api') / sum('count'), 1) : null,
    shares: shares && eachRounded(shares),
    limitedBy: shares && limit(shares, processes),
  };
}

/**
 * What more processes are worth: requests per second as a multiple of one process, and what they would be if PostgreSQL and the
 * clients had cores of their own.
 */
export function scalingOf(one, several) {
  const possible = several.cpu && rounded((several.processes * one.cpu) / several.cpu);
  const target = several.processes === 2 ? TARGET : null;
  return {
    case: several.case,
    processes: several.processes,
    measured: rounded(several.rps / one.rps),
    possible,
    target,
    met: target === null || possible === null ? null : possible >= target,
  };
}

/** What the primary used is part of the share of the API. */
function withOthers({ api, primary, postgres, load, idle }, processes) {
  const others = Math.max(0, 1 - api - postgres - load - idle);
  return { api, primary: processes === 1 ? 0 : primary, postgres, load, others, idle };
}

function limit({ api, others, idle }, processes) {
  if (others >= SMALL) return 'other processes';
  if (idle < SMALL) return 'the machine';
  return api * availableParallelism() > (1 - SMALL) * processes ? 'the API' : 'waiting';
}

function eachRounded(shares) {
  return Object.fromEntries(Object.entries(shares).map(([group, share]) => [group, rounded(share)]));
}
