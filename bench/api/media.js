import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ask } from './asks.js';
import { compareEach, withComparison } from './comparison.js';
import { serviceFolder } from './sides.js';
import { medians, round as rounded } from '../numbers.js';

const MIB = 1024 * 1024;
const FILE_MIB = 64;
const STREAMED_TARGET = 0.7;
/** Of a server that neither looks up a recording nor checks a signature. */
const UNCHANGED_TARGET = 0.39;
const STREAMED = 'Range of 1 MiB, streamed';

/** Stores the video of one recording where the service reads it. */
export async function writeMedia(database, recordingId) {
  const { rows } = await database.client.query('SELECT media_key FROM recordings WHERE id = $1', [
    recordingId,
  ]);
  const file = join(serviceFolder(database), 'objects', ...rows[0].media_key.split('/'));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, randomBytes(FILE_MIB * MIB));
  return { recordingId, file };
}

/** Ranges of a video and conditional requests, compared with a bare `createReadStream` server. */
export async function measureMedia(bench) {
  const [service] = bench.sides;
  const { data } = await bench.asker.json(service, ask('editor', `/${bench.media.recordingId}`));
  const { pathname, search } = new URL(data.videoUrl);
  const path = pathname + search;
  const ranges = Array.from({ length: FILE_MIB }, (_, n) => {
    // Not in file order, and no range is aligned to a page.
    const start = ((n * 29) % (FILE_MIB - 1)) * MIB + 977 * n;
    return { path, headers: { range: `bytes=${start}-${start + MIB - 1}` } };
  });
  const comparison = await compareEach(bench, STREAMED, ranges, (asked) => compareRange(bench, asked));
  const streams = await interleaved(bench, 'ranges', () => ({ requests: ranges, status: 206 }));
  const tags = [];
  for (const side of bench.sides) tags.push(await tagOf(bench, side, path));
  const unchanged = await interleaved(bench, 'conditional requests', (side) => ({
    requests: [{ path, headers: { 'if-none-match': tags[side] } }],
    status: 304,
  }));
  return [
    withComparison(rowOf(STREAMED, streams, 'MiB/s', STREAMED_TARGET), comparison),
    // The load fails unless every reply is 304.
    rowOf('If-None-Match, 304 replies', unchanged, 'rps', UNCHANGED_TARGET),
  ];
}

async function compareRange({ asker, sides }, asked) {
  const [one, other] = await Promise.all(sides.map((side) => asker.answer(side, asked)));
  if (one.status === 206 && one.body.length === MIB && one.body.equals(other.body)) return { bytes: MIB };
  const replies = [one, other].map(({ status, body }) => `${body.length} bytes with status ${status}`);
  return { difference: `the replies to ${asked.headers.range} differ: ${replies.join(' and ')}` };
}

async function tagOf({ asker }, side, path) {
  const { headers } = await asker.answer(side, { path, headers: { range: 'bytes=0-0' } });
  return headers.etag;
}

async function interleaved({ loader, sides, rounds, seconds, warmUp, say }, what, loadOf) {
  const taken = sides.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    if (round > 0) say(`${what}, round ${round} of ${rounds}`);
    for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const result = await loader.run(sides[side], {
        seconds: round > 0 ? seconds : warmUp,
        ...loadOf(side),
      });
      // The first round warms up.
      if (round > 0) taken[side].push(result);
    }
  }
  return taken.map((results) => medians(results.map(({ rps, p50, p99 }) => ({ rps, p50, p99 }))));
}

function rowOf(name, [service, bare], unit, target) {
  const ratio = rounded(service.rps / bare.rps);
  return {
    case: name,
    service: `${Math.round(service.rps)} ${unit}`,
    yardstick: `${Math.round(bare.rps)} ${unit}`,
    ratio,
    target: target === null ? null : `>= ${target.toFixed(2)}`,
    met: target === null ? null : ratio >= target,
    measured: { service, bare },
  };
}
