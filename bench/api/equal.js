import { setTimeout as sleep } from 'node:timers/promises';

/** Signed addresses end by the second: both must answer within the same one. */
const TRIES = 6;
const BEFORE = '{"data":';
const SHOWN = 120;

/**
 * The bytes of `data` that both sides answer alike; throws where they differ. What the yardstick says of pagination the
 * service must say too, and may say more.
 */
export async function sameAnswers({ asker, sides }, asked) {
  let difference;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const answers = await Promise.all(sides.map((side) => asker.answer(side, asked)));
    const [service, yardstick] = answers.map(({ body }) => partsOf(body.toString()));
    const statuses = answers.map(({ status }) => status);
    if (statuses.some((status) => status >= 300))
      throw new Error(`${asked.path} answered ${statuses.join(' and ')}`);
    difference = differenceOf(service, yardstick);
    if (difference === null) return Buffer.byteLength(yardstick.data);
    // To have a whole second for the next try.
    await sleep(1000 - (Date.now() % 1000));
  }
  throw new Error(`The answers to ${asked.method} ${asked.path} differ: ${difference}`);
}

/** The text of `data`, and the pagination beside it. */
function partsOf(text) {
  const { pagination } = JSON.parse(text);
  const end = pagination === undefined ? -1 : text.lastIndexOf(',"pagination":');
  return { data: text.startsWith(BEFORE) ? text.slice(BEFORE.length, end) : text, pagination };
}

function differenceOf(service, yardstick) {
  if (service.data !== yardstick.data) return whereTheyDiffer(service.data, yardstick.data);
  for (const [name, value] of Object.entries(yardstick.pagination ?? {})) {
    const said = service.pagination?.[name];
    if (said !== value) return `pagination.${name} is ${said} of the service, ${value} of the yardstick`;
  }
  return null;
}

function whereTheyDiffer(service, yardstick) {
  let at = 0;
  while (service[at] === yardstick[at]) at += 1;
  const [one, other] = [service, yardstick].map((text) =>
    text.slice(Math.max(0, at - SHOWN / 2), at + SHOWN),
  );
  return `at character ${at} of data\n  service:   ${one}\n  yardstick: ${other}`;
}
