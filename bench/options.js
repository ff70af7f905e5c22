import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LOADS, loadsNamed } from './fairness/loads.js';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));
/** With fewer, some of the requested data does not exist. */
const MIN_RECORDINGS = 1_000;

/** `sizes`: instead of the defaults; `named`: runs only when it is named. */
const BENCHES = {
  api: { what: 'requests per second and latency, beside a bare server that does the same by hand' },
  quick: {
    what: 'six ratios to that server and CPU per request in under a minute, compared with bench/floor.json',
    sizes: { recordings: 20_000, rounds: 7, seconds: 0.3 },
    named: true,
  },
  costs: {
    what: 'what a request costs: CPU time, also of PostgreSQL, statements, bytes of WAL',
    sizes: { recordings: 200_000, rounds: 3, seconds: 2 },
    named: true,
  },
  cores: {
    what: 'lists on one API process and on several, and what limited them',
    sizes: { recordings: 200_000 },
    named: true,
  },
  writes: { what: 'writes beside the same changes by hand in SQL, with 200,000 recordings or fewer' },
  search: { what: 'search times with many long transcripts' },
  found: { what: 'how well search finds' },
  summaries: { what: 'how well summaries without a chat server pick what people noted' },
  fairness: { what: 'how long one user waits while another does what costs most' },
  streams: { what: '1,000 streams of events on one process' },
  speech: { what: 'word error rate, time and memory of transcriptions' },
  live: {
    what: 'when words of meetings in progress can be read, in real time, for 1, 2 and 4 at once',
    sizes: { minutes: [2] },
    named: true,
  },
  packaging: { what: 'packaging beside the ffmpeg program' },
  sizing: {
    what: 'CPU, memory, disk and database for an hour of meeting, and for users',
    sizes: { minutes: [2, 10] },
    named: true,
  },
  webhooks: { what: 'delivery to receivers of which some hang' },
};

/** Options whose values are whole numbers from 1. */
const WHOLE = {
  recordings: { what: `of the database (${MIN_RECORDINGS} or more)`, default: 1_000_000 },
  requests: { what: 'after which memory is measured', default: 200_000 },
  meetings: { what: 'to search', default: 6_000 },
  segments: { what: 'of the long transcript (fairness)', default: 80_000 },
  megabytes: { what: 'of the video to package', default: 150 },
  clip: { what: 'seconds of video to encode', default: 30 },
  events: { what: 'that webhooks report', default: 10_000 },
  endpoints: { what: 'that receive webhooks', default: 100 },
  rounds: { what: 'of each measurement', default: 5 },
};

const OTHERS = {
  seconds: { what: 'of each measurement', default: 3 },
  loads: {
    what: 'of fairness, separated by commas; 3 for 3a to 3c',
    default: LOADS.map(({ id }) => id).join(','),
  },
  minutes: { what: 'of the meetings to transcribe, separated by commas', default: '1,10,60' },
  data: { what: 'folder that keeps the data for the next run' },
  out: { what: 'file of the results', default: RESULTS },
  'no-compare': { what: 'do not compare the replies of the service and the bare server' },
};

const DEFAULTS = Object.fromEntries(
  Object.entries({ ...WHOLE, ...OTHERS }).map(([name, option]) => [name, option.default]),
);

export const USAGE = `usage: npm run bench [-- BENCH... --OPTION VALUE...]

Benches (default: all without *):
${linesOf(Object.entries(BENCHES).map(([name, { what, named }]) => [named ? `${name} *` : name, what]))}

Options:
${linesOf(Object.entries({ ...WHOLE, ...OTHERS }).map(([name, { what }]) => [`--${name}`, withDefault(name, what)]))}`;

/** The options of the command line, with the sizes for each bench; null if invalid. */
export function readOptions(args) {
  const given = parse(args);
  if (!given || !given.positionals.every((name) => Object.hasOwn(BENCHES, name))) return null;
  const { values, positionals } = given;
  const sizes = sizesIn(values);
  if (!sizes) return null;
  const named = (name) => (positionals.length === 0 ? !BENCHES[name].named : positionals.includes(name));
  return {
    names: Object.keys(BENCHES).filter(named),
    sizesOf: (name) => ({ ...numbersOf(DEFAULTS), ...BENCHES[name].sizes, ...sizes }),
    compare: !values['no-compare'],
    data: values.data === undefined ? undefined : resolve(values.data),
    out: resolve(values.out ?? RESULTS),
  };
}

/** The sizes that were given; null if one is invalid. */
function sizesIn(values) {
  const sizes = numbersOf(values);
  const { recordings = MIN_RECORDINGS, seconds = 1, loads = DEFAULTS.loads, minutes } = sizes;
  const whole = Object.keys(WHOLE).every((name) => !(name in sizes) || isCount(sizes[name]));
  const valid = whole && recordings >= MIN_RECORDINGS && Number.isFinite(seconds) && seconds > 0;
  return valid && minutes !== null && loadsNamed(loads) ? sizes : null;
}

/** Each of these options as what it stands for; `minutes` is null if one is not a whole number. */
function numbersOf({ loads, minutes, ...values }) {
  const names = [...Object.keys(WHOLE), 'seconds'].filter((name) => values[name] !== undefined);
  return {
    ...Object.fromEntries(names.map((name) => [name, Number(values[name])])),
    ...(loads === undefined ? {} : { loads }),
    ...(minutes === undefined ? {} : { minutes: lengthsIn(minutes) }),
  };
}

/** The lengths of meetings, from short to long; null if one is not a whole number of minutes. */
function lengthsIn(text) {
  const lengths = text.split(',').map(Number);
  return lengths.every(isCount) ? [...new Set(lengths)].toSorted((a, b) => a - b) : null;
}

function isCount(number) {
  return Number.isSafeInteger(number) && number >= 1;
}

function parse(args) {
  const options = Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, { type: 'string' }]));
  options['no-compare'].type = 'boolean';
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    return null;
  }
}

function withDefault(name, what) {
  const value = name === 'out' ? 'bench/results.json' : DEFAULTS[name];
  return value === undefined ? what : `${what} (${value})`;
}

function linesOf(pairs) {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, what]) => `  ${name.padEnd(width)}  ${what}`).join('\n');
}
