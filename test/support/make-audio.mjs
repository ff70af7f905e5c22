// Generates audio-only recordings with known gaps: `node make-audio.mjs FOLDER`. A child process, as native code and
// Jest's VM are incompatible.
import { join } from 'node:path';
import {
  AudioSample,
  AudioSampleSource,
  FilePathTarget,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  Quality,
  WavOutputFormat,
} from 'mediabunny';
import { registerCodecs } from './codecs.mjs';

const STEP_SECONDS = 0.1;

const folder = process.argv[2];
registerCodecs();

/** Tones of 1 kHz between these seconds. In between: recorded silence, or no data at all. */
const gap = [
  [0, 2],
  [7, 9],
];
const long = [
  [0, 20],
  [23, 50],
  [60, 84],
];
await sound('gap.mkv', new MkvOutputFormat(), 'pcm-s16', 48_000, gap, { recorded: false });
await sound('long.m4a', new Mp4OutputFormat({ fastStart: false }), 'aac', 44_100, long, { recorded: true });
await sound('telephone.wav', new WavOutputFormat(), 'pcm-s16', 8_000, [[1, 3]], { recorded: true });
process.exit(0);

async function sound(name, format, codec, sampleRate, tones, { recorded }) {
  const output = new Output({ format, target: new FilePathTarget(join(folder, name)) });
  const quality = codec.startsWith('pcm') ? undefined : new Quality({ bitrate: 64_000 });
  const source = new AudioSampleSource({ codec, ...(quality && { quality }) });
  output.addAudioTrack(source);
  await output.start();
  const end = tones.at(-1)[1];
  for (let step = 0; step < Math.round(end / STEP_SECONDS); step++) {
    const timestamp = step * STEP_SECONDS;
    const sounds = tones.some(([from, to]) => timestamp > from - 0.01 && timestamp < to - 0.01);
    if (!sounds && !recorded) continue;
    const frames = Math.round(STEP_SECONDS * sampleRate);
    const data = new Float32Array(frames);
    for (let i = 0; i < frames; i++) {
      const value = (sounds ? 0.5 : 0) * Math.sin(2 * Math.PI * 1_000 * (timestamp + i / sampleRate));
      data[i] = value;
    }
    const sample = new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate, timestamp });
    await source.add(sample);
    sample.close();
  }
  source.close();
  await output.finalize();
}
