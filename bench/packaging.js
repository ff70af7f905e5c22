import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { medians, round } from './numbers.js';
import { findFfmpeg } from './packaging/ffmpeg.js';
import { missedIn, report, rowsOf } from './packaging/report.js';
import { Runner } from './packaging/runner.js';
import { sidesOf } from './packaging/sides.js';
import { makeSources } from './packaging/sources.js';

/**
 * Measures the packager of the service beside the `ffmpeg` program of the system, on the same files: H.264 that is copied, VP8
 * and VP9 that are encoded, and sound alone. `megabytes`: size of what is copied; `clip`: seconds of what is encoded.
 */
export async function measure({ data, megabytes, clip, rounds, say }) {
  const ffmpeg = findFfmpeg();
  if (!ffmpeg)
    throw new Error('FFmpeg, to compare with, is not on the PATH (Debian: apt-get install ffmpeg)');
  const [loadAverage] = loadavg().map((value) => round(value));
  if (loadAverage > cpus().length / 2)
    say(`load average ${loadAverage}: this machine is too busy for reliable measurements`);
  const folder = join(data, 'packaging');
  const [first, ...rest] = makeSources(ffmpeg.path, folder, { megabytes, clip, say });
  const sides = sidesOf(ffmpeg.path);
  const runner = await Runner.start(folder);
  // The first call finds out how far children can be confined.
  for (const side of sides) await runner.measure(side, first);
  const cases = [];
  for (const source of [first, ...rest]) {
    say(`packaging: ${source.name}`);
    cases.push({ source, measured: await alternate(runner, sides, source, rounds) });
  }
  await runner.stop();
  const result = {
    date: new Date().toISOString(),
    cores: cpus().length,
    node: process.version,
    ffmpeg: ffmpeg.version,
    loadAverage,
    rounds,
    rows: rowsOf(cases),
  };
  process.stdout.write(report(result));
  return { ...result, missed: missedIn(result.rows) };
}

/** The sides take turns, so that other work on the machine slows all of them; returns medians. */
async function alternate(runner, sides, source, rounds) {
  const all = sides.map(() => []);
  for (let done = 0; done < rounds; done += 1) {
    for (const [index, side] of sides.entries()) all[index].push(await runner.measure(side, source));
  }
  return sides.map(({ name }, index) => ({ side: name, ...medians(all[index]) }));
}
