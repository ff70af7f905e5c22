import { ask } from './asks.js';
import { LARGE } from './data.js';
import { compareAnswers, compareEach, withComparison } from './comparison.js';
import { SEARCHED } from './texts.js';
import { median, round as rounded } from '../numbers.js';

const PAGE = 20;
const SEARCH_MS = 50;
const OFFSET_MS = 60;
/** Flat means that no deeper page takes more than this many times as long as the first one. */
const FLAT = 1.5;
/** As fractions of the large organization: 1,000, 100,000 and 190,000 of 200,000. */
const DEPTHS = [0.005, 0.5, 0.95];

const list = (query) => ask('owner', `?organization_id=${LARGE}${query}`);
const depthOf = ({ sizes }, share) => Math.max(PAGE, Math.round(sizes.large * share));

/** Milliseconds of a title search and of a deep page, one request at a time. */
export async function measureDepth(bench) {
  const offset = depthOf(bench, 0.5);
  const cases = [
    ...Object.entries(SEARCHED).map(([kind, word]) => ({
      name: `title search, ${kind} word (${word})`,
      asked: list(`&search=${word}`),
      most: SEARCH_MS,
    })),
    { name: `offset=${offset}`, asked: list(`&offset=${offset}`), most: OFFSET_MS },
  ];
  const comparisons = [];
  for (const { name, asked } of cases) comparisons.push(await compareAnswers(bench, name, [asked]));
  const asks = cases.map(({ asked }) => asked);
  const medians = await everyRound(bench, 'search and offset', asks);
  return cases.map(({ name, most }, index) => {
    const row = {
      case: name,
      service: `${medians[index]} ms`,
      yardstick: null,
      ratio: null,
      target: `< ${most} ms`,
      met: medians[index] < most,
      measured: { ms: medians[index] },
    };
    return withComparison(row, comparisons[index]);
  });
}

/** The same by cursor, taken from the page before each depth; null when the service returns none. */
export async function measureCursor(bench) {
  const [service] = bench.sides;
  const depths = [0, ...DEPTHS.map((share) => depthOf(bench, share))];
  const name = `cursor at ${depths.join(', ')}`;
  const asks = [list('')];
  for (const depth of depths.slice(1)) {
    const { pagination } = await bench.asker.json(service, list(`&offset=${depth - PAGE}`));
    if (!pagination.next_cursor) return null;
    asks.push(list(`&cursor=${encodeURIComponent(pagination.next_cursor)}`));
  }
  const comparison = await compareEach(bench, name, [...depths.keys()].slice(1), (index) =>
    compareWithOffset(bench, asks[index], depths[index]),
  );
  const medians = await everyRound(bench, 'cursor', asks);
  const ratio = rounded(Math.max(...medians.slice(1)) / medians[0]);
  const row = {
    case: name,
    service: `${medians.join(', ')} ms`,
    yardstick: null,
    ratio,
    target: `<= ${FLAT}`,
    met: ratio <= FLAT,
    measured: { ms: Object.fromEntries(depths.map((depth, index) => [depth, medians[index]])) },
  };
  return withComparison(row, comparison);
}

/** Compares the page by cursor with the page by offset, by id only, as signed URLs change every second. */
async function compareWithOffset({ asker, sides: [service] }, byCursor, depth) {
  const pages = [await asker.json(service, byCursor), await asker.json(service, list(`&offset=${depth}`))];
  const [one, other] = pages.map(({ data }) => data.map(({ id }) => id).join(' '));
  if (one === other) return { bytes: Buffer.byteLength(one) };
  return { difference: `the page at ${depth} by cursor differs from the one by offset` };
}

async function everyRound({ asker, sides: [service], rounds, seconds, warmUp, say }, what, asks) {
  await asker.alternate(service, asks, warmUp);
  const taken = asks.map(() => []);
  for (let round = 1; round <= rounds; round += 1) {
    say(`${what}, round ${round} of ${rounds}`);
    const times = await asker.alternate(service, asks, seconds);
    times.forEach((one, index) => taken[index].push(median(one)));
  }
  return taken.map((medians) => rounded(median(medians)));
}
