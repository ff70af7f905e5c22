import { setTimeout as sleep } from 'node:timers/promises';
import { differencesOf, inWords } from './differences.js';

/** Signed addresses end by the second: both must answer within the same one. */
const TRIES = 6;

/** Compares both sides' answers to each request of a case, see `compareEach`. */
export function compareAnswers(bench, name, asks) {
  return compareEach(bench, name, asks, async (asked) => {
    const { bytes, found } = await compareOnce(bench, asked);
    if (found.length === 0) return { bytes };
    const asking = `${asked.method} ${asked.path}`;
    return { difference: `the yardstick's reply differs: ${inWords(found)} (${asking})` };
  });
}

/**
 * What the row of a case tells of its comparison: how many bytes were the same, and how the first request differs whose
 * answers do. `compareOne` gives the `bytes` or the `difference` of a request.
 */
export async function compareEach({ compare, say }, name, asks, compareOne) {
  if (!compare) return {};
  let compared = 0;
  for (const asked of asks) {
    const { bytes, difference } = await compareOne(asked);
    if (difference) {
      say(`${name}: ${difference}`);
      return { compared, differs: difference };
    }
    compared += bytes;
  }
  return { compared };
}

/** A row with what its comparison found; of what differs nobody can tell whether it is quick enough. */
export function withComparison(row, comparison) {
  return { ...row, ...(comparison.differs ? { met: null } : {}), ...comparison };
}

async function compareOnce({ asker, sides }, asked) {
  for (let tried = 1; ; tried += 1) {
    const answers = await Promise.all(sides.map((side) => asker.answer(side, asked)));
    const statuses = answers.map(({ status }) => status);
    if (statuses.some((status) => status >= 300)) {
      throw new Error(`${asked.method} ${asked.path} answered ${statuses.join(' and ')}`);
    }
    const [service, yardstick] = answers.map(({ body }) => body.toString());
    const found = differencesOf(service, yardstick);
    const mayPass = found.length > 0 && found.every(({ passing }) => passing);
    if (!mayPass || tried === TRIES) return { found, bytes: Buffer.byteLength(yardstick) };
    // To have a whole second for the next try.
    await sleep(1000 - (Date.now() % 1000));
  }
}
