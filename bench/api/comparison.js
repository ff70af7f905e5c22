import { setTimeout as sleep } from 'node:timers/promises';
import { differencesOf, inWords } from './differences.js';

/** Signed URLs expire on whole seconds: both sides must reply within the same one. */
const TRIES = 6;

/** Compares both sides' replies to each request of a case, see `compareEach`. */
export function compareAnswers(bench, name, asks) {
  return compareEach(bench, name, asks, async (asked) => {
    const { bytes, found } = await compareOnce(bench, asked);
    if (found.length === 0) return { bytes };
    const asking = `${asked.method} ${asked.path}`;
    return { difference: `the yardstick's reply differs: ${inWords(found)} (${asking})` };
  });
}

/**
 * The comparison part of a row: how many bytes were identical, and the first difference, if any. `compareOne` returns the
 * `bytes` or the `difference` of a request.
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

/** A row with its comparison; where replies differ, the target is neither met nor missed. */
export function withComparison(row, comparison) {
  return { ...row, ...(comparison.differs ? { met: null } : {}), ...comparison };
}

async function compareOnce({ asker, sides }, asked) {
  for (let tried = 1; ; tried += 1) {
    const answers = await Promise.all(sides.map((side) => asker.answer(side, asked)));
    const statuses = answers.map(({ status }) => status);
    if (statuses.some((status) => status >= 300)) {
      throw new Error(`${asked.method} ${asked.path} returned ${statuses.join(' and ')}`);
    }
    const [service, yardstick] = answers.map(({ body }) => body.toString());
    const found = differencesOf(service, yardstick);
    const mayPass = found.length > 0 && found.every(({ passing }) => passing);
    if (!mayPass || tried === TRIES) return { found, bytes: Buffer.byteLength(yardstick) };
    // The next attempt gets a whole second.
    await sleep(1000 - (Date.now() % 1000));
  }
}
