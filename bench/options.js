import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LOADS, loadsNamed } from './fairness/loads.js';

const BENCHES = [
  'api',
  'search',
  'found',
  'fairness',
  'streams',
  'speech',
  'packaging',
  'webhooks',
  'writes',
];
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));
/** With fewer, some of the requested data does not exist. */
const FEWEST_RECORDINGS = 1_000;

export const USAGE =
  `usage: npm run bench [-- ${BENCHES.join(' | ')}] [--recordings N] [--meetings N] [--segments N] [--loads N,...] [--minutes N,...] [--megabytes N] [--clip SECONDS] [--events N] [--endpoints N] [--rounds N] [--seconds S] ` +
  `[--no-compare] [--data FOLDER] [--out FILE] (recordings: ${FEWEST_RECORDINGS} or more; ` +
  `loads: ${LOADS.map(({ id }) => id).join(', ')}, or 3 for 3a to 3c; ` +
  `no-compare: do not compare the replies of the service and the yardstick)`;

const OPTIONS = {
  recordings: { type: 'string', default: '1000000' },
  meetings: { type: 'string', default: '6000' },
  segments: { type: 'string', default: '80000' },
  loads: { type: 'string', default: LOADS.map(({ id }) => id).join(',') },
  minutes: { type: 'string', default: '1,10,60' },
  megabytes: { type: 'string', default: '150' },
  clip: { type: 'string', default: '30' },
  events: { type: 'string', default: '10000' },
  endpoints: { type: 'string', default: '100' },
  rounds: { type: 'string', default: '5' },
  seconds: { type: 'string', default: '3' },
  'no-compare': { type: 'boolean', default: false },
  data: { type: 'string' },
  out: { type: 'string', default: RESULTS },
};

/** The options of the command line; null if invalid. */
export function readOptions(args) {
  const given = parse(args);
  if (!given || !given.positionals.every((name) => BENCHES.includes(name))) return null;
  const { values, positionals } = given;
  const [recordings, meetings, segments, megabytes, clip, events, endpoints, rounds, seconds] = [
    'recordings',
    'meetings',
    'segments',
    'megabytes',
    'clip',
    'events',
    'endpoints',
    'rounds',
    'seconds',
  ].map((name) => Number(values[name]));
  const whole = [recordings, meetings, segments, megabytes, clip, events, endpoints, rounds].every(
    (number) => Number.isSafeInteger(number) && number >= 1,
  );
  const minutes = lengthsIn(values.minutes);
  if (!loadsNamed(values.loads) || !minutes) return null;
  if (!whole || recordings < FEWEST_RECORDINGS || !Number.isFinite(seconds) || seconds <= 0) return null;
  return {
    names: BENCHES.filter((name) => positionals.length === 0 || positionals.includes(name)),
    sizes: {
      recordings,
      meetings,
      segments,
      loads: values.loads,
      minutes,
      megabytes,
      clip,
      events,
      endpoints,
      rounds,
      seconds,
    },
    compare: !values['no-compare'],
    data: values.data === undefined ? undefined : resolve(values.data),
    out: resolve(values.out),
  };
}

/** The lengths of meetings, from short to long; null if one is not a whole number of minutes. */
function lengthsIn(text) {
  const lengths = text.split(',').map(Number);
  const valid = lengths.every((length) => Number.isSafeInteger(length) && length >= 1);
  return valid ? [...new Set(lengths)].toSorted((a, b) => a - b) : null;
}

function parse(args) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    return null;
  }
}
