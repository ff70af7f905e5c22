import { ask } from './asks.js';
import { FEW, folderOf, LARGE } from './data.js';
import { compareAnswers, withComparison } from './comparison.js';
import { median, round as rounded } from '../numbers.js';

const MAX_RATIO = 1.1;
const DAY_MS = 24 * 60 * 60 * 1000;
/** About the middle half of the two years of data. */
const FROM_DAYS_AGO = 548;
const TO_DAYS_AGO = 183;

const moment = (daysAgo) => new Date(Date.now() - daysAgo * DAY_MS).toISOString();

/** The filters of the owner's first page, by organization. */
function filters() {
  const [from, to] = [moment(FROM_DAYS_AGO), moment(TO_DAYS_AGO)];
  return {
    'first page': () => '',
    'status=COMPLETED': () => '&status=COMPLETED',
    'dates, whole days': () => `&date_from=${from.slice(0, 10)}&date_to=${to.slice(0, 10)}`,
    'dates, to the millisecond': () => `&date_from=${from}&date_to=${to}`,
    folder: (organization) => `&folder_id=${folderOf(organization)}`,
  };
}

/** Milliseconds of the owner's list in the large organization and in one of a two-hundredth of its size. */
export async function measureGrowth(bench) {
  const measured = Object.entries(filters()).map(([name, filter]) => ({
    name: `OWNER, ${name}`,
    asks: [
      ask('owner', `?organization_id=${LARGE}${filter(LARGE)}`),
      ask('owner of few', `?organization_id=${FEW}${filter(FEW)}`),
    ],
    taken: [[], []],
    comparison: {},
  }));
  const [service] = bench.sides;
  for (const entry of measured) {
    entry.comparison = await compareAnswers(bench, entry.name, entry.asks);
    await bench.asker.alternate(service, entry.asks, bench.warmUp);
  }
  for (let round = 1; round <= bench.rounds; round += 1) {
    bench.say(`growth, round ${round} of ${bench.rounds}`);
    for (const { asks, taken } of measured) {
      const times = await bench.asker.alternate(service, asks, bench.seconds);
      times.forEach((one, index) => taken[index].push(median(one)));
    }
  }
  return measured.map(rowOf);
}

function rowOf({ name, taken, comparison }) {
  const [large, few] = taken.map((rounds) => rounded(median(rounds)));
  const ratio = rounded(large / few);
  const row = {
    case: name,
    service: `${large} ms`,
    yardstick: `${few} ms`,
    ratio,
    target: `<= ${MAX_RATIO}`,
    met: ratio <= MAX_RATIO,
    measured: { large, few },
  };
  return withComparison(row, comparison);
}
