// Writes a file of this length that repeats these files, with pauses of a second: `node make-speech.js TARGET SECONDS
// FILE...`. An MP4, or what a recorder sends while it records if the name ends in .live.mp4 or .live.webm. Of a track such as
// 0of8.mp4, every eighth file is heard, and otherwise soft noise. A process of its own, as native codecs may crash.
import {
  ALL_FORMATS,
  AudioSample,
  AudioSampleSink,
  AudioSampleSource,
  FilePathSource,
  FilePathTarget,
  Input,
  Mp4OutputFormat,
  Output,
  Quality,
  WebMOutputFormat,
} from 'mediabunny';
import { registerCodecs } from '../../test/support/codecs.mjs';

const PAUSE_SECONDS = 1;
/** Amplitude of noise of -70 dBFS. */
const NOISE = 10 ** (-70 / 20) * Math.sqrt(3);
const BITRATE = 48_000;

const [target, seconds, ...files] = process.argv.slice(2);
const [, own, people] = /(\d+)of(\d+)\.mp4$/u.exec(target) ?? [];
registerCodecs();

const spoken = [];
for (const file of files) spoken.push(await decoded(file));
const [{ sampleRate }] = spoken;
if (spoken.some((one) => one.sampleRate !== sampleRate)) throw new Error('the sample rates differ');

const isWebm = target.endsWith('.live.webm');
const output = new Output({
  format: isWebm
    ? new WebMOutputFormat({ appendOnly: true })
    : new Mp4OutputFormat({ fastStart: target.endsWith('.live.mp4') ? 'fragmented' : false }),
  target: new FilePathTarget(target),
});
const source = new AudioSampleSource({
  codec: isWebm ? 'opus' : 'aac',
  quality: new Quality({ bitrate: BITRATE }),
});
output.addAudioTrack(source);
await output.start();
const length = Number(seconds) * sampleRate;
let turn = 0;
for (let frame = 0; frame < length;) {
  for (const piece of round()) {
    const data = piece.subarray(0, length - frame);
    if (data.length === 0) break;
    await add(data, frame / sampleRate);
    frame += data.length;
  }
}
source.close();
await output.finalize();
// The codecs may keep the process alive.
process.exit(0);

/** Every file once, each followed by a pause, in pieces of a second at most. */
function* round() {
  for (const { samples } of spoken) {
    const heard = people && turn % people !== Number(own) ? samples.map(noise) : samples;
    turn += 1;
    for (let at = 0; at < heard.length; at += sampleRate) yield heard.subarray(at, at + sampleRate);
    yield new Float32Array(PAUSE_SECONDS * sampleRate).map(people ? noise : () => 0);
  }
}

function noise() {
  return NOISE * (2 * Math.random() - 1);
}

async function add(data, timestamp) {
  const sample = new AudioSample({ data, format: 'f32', numberOfChannels: 1, sampleRate, timestamp });
  await source.add(sample);
  sample.close();
}

async function decoded(file) {
  const input = new Input({ formats: ALL_FORMATS, source: new FilePathSource(file) });
  const track = await input.getPrimaryAudioTrack();
  const parts = [];
  let rate = 0;
  for await (const sample of new AudioSampleSink(track).samples()) {
    const part = new Float32Array(sample.numberOfFrames);
    sample.copyTo(part, { planeIndex: 0, format: 'f32-planar' });
    parts.push(part);
    rate = sample.sampleRate;
    sample.close();
  }
  input.dispose();
  return { samples: joined(parts), sampleRate: rate };
}

function joined(parts) {
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}
