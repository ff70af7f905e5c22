// Generates recordings of several people: `node make-voices.mjs FOLDER`. A
// child process, as native code and Jest's VM are incompatible.
import { join } from 'node:path';
import {
  AudioSample,
  AudioSampleSource,
  EncodedAudioPacketSource,
  EncodedPacket,
  FilePathTarget,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  Quality,
} from 'mediabunny';
import { registerCodecs } from './codecs.mjs';

const SECONDS = 12;
const RATE = 16_000;
/** One AAC packet. */
const STEP = 1024;

const folder = process.argv[2];
registerCodecs();

/** Syllables of this pitch, at these times; both speak from 6 s to 7 s. */
const ada = person(110, [
  [0.2, 3],
  [6, 9],
]);
const ben = person(190, [
  [3.2, 7],
  [9.2, 11.9],
]);
const silence = () => 0;
const hiss = (at) => 0.002 * noise(at);
const louder =
  (voice, gain, delay = 0) =>
  (at) =>
    gain * voice(at - delay);
const together =
  (...voices) =>
  (at) =>
    voices.reduce((sum, voice) => sum + voice(at), 0);

const mkv = () => new MkvOutputFormat();
const mp4 = () => new Mp4OutputFormat({ fastStart: 'in-memory' });
const both = together(ada, ben);

await tracks('titles.mkv', mkv(), [
  { name: ' Ada\nLovelace ', channels: [ada] },
  { name: `Ben${'n'.repeat(300)}`, channels: [ben] },
]);
await tracks('no-titles.mp4', mp4(), [{ channels: [ada] }, { channels: [ben] }]);
await tracks('handlers.mkv', mkv(), [
  { name: 'SoundHandler', channels: [ada] },
  { name: 'Ben', channels: [ben] },
]);
await tracks('mix.mkv', mkv(), [
  { name: 'Mix', channels: [louder(both, 0.5)] },
  { name: 'Microphone', channels: [ada, ada] },
  { name: 'Desktop', channels: [ben, ben] },
]);
await tracks('copy.mp4', mp4(), [{ channels: [both] }, { channels: [both] }, { channels: [silence] }]);
await tracks('silent-first.mp4', mp4(), [{ channels: [silence] }, { channels: [ada] }, { channels: [ben] }]);
await tracks('late.mkv', mkv(), [{ channels: [ada] }, { channels: [ben], from: 3 }]);
await tracks('dubbed.mkv', mkv(), [
  { name: 'Original', languageCode: 'eng', channels: [ada] },
  { name: 'Dub', languageCode: 'fra', channels: [ben] },
]);
await tracks(
  'nine.mkv',
  mkv(),
  Array.from({ length: 9 }, (_, place) => ({ channels: [place === 8 ? ben : ada] })),
);
await tracks('damaged-track.mp4', mp4(), [{ channels: [ada] }, { damaged: true }, { channels: [ben] }]);
await tracks('interview.m4a', mp4(), [{ channels: [together(ada, hiss), together(ben, hiss)] }]);
await tracks('crosstalk.m4a', mp4(), [
  { channels: [together(ada, louder(ben, 0.1)), together(ben, louder(ada, 0.1))] },
]);
await tracks('room.m4a', mp4(), [
  { channels: [together(both, hiss), together(louder(both, 0.5, 0.004), hiss)] },
]);
await tracks('one-channel.m4a', mp4(), [{ channels: [both, silence] }]);
await tracks('hiss.m4a', mp4(), [{ channels: [both, hiss] }]);
await tracks('brief.m4a', mp4(), [{ channels: [ada, person(190, [[4, 5]])] }]);
await tracks('two-stereo.mp4', mp4(), [{ channels: [ada, ben] }, { channels: [silence, silence] }]);
process.exit(0);

function person(pitch, turns) {
  return (at) => {
    if (!turns.some(([from, to]) => at >= from && at < to)) return 0;
    // Four syllables a second, each of its own loudness.
    const syllable = Math.floor(4 * at);
    const envelope = Math.sin(Math.PI * 4 * (at % 0.25)) * (0.5 + 0.5 * Math.abs(Math.sin(syllable * pitch)));
    const voice = [1, 2, 3, 5].reduce((sum, n) => sum + Math.sin(2 * Math.PI * n * pitch * at) / n, 0);
    return 0.25 * envelope * voice;
  };
}

/** Noise from -1 to 1, the same for the same time. */
function noise(at) {
  return 2 * ((Math.abs(Math.sin(at * 12_989.8)) * 43_758.5) % 1) - 1;
}

async function tracks(name, format, parts) {
  const output = new Output({ format, target: new FilePathTarget(join(folder, name)) });
  const sources = parts.map(({ damaged, name: title, languageCode }) => {
    const quality = new Quality({ bitrate: 48_000 });
    const source = damaged
      ? new EncodedAudioPacketSource('aac')
      : new AudioSampleSource({ codec: 'aac', quality });
    output.addAudioTrack(source, { ...(title && { name: title }), ...(languageCode && { languageCode }) });
    return source;
  });
  await output.start();
  await Promise.all(
    parts.map((part, place) => (part.damaged ? damage(sources[place]) : sound(sources[place], part))),
  );
  await output.finalize();
}

async function sound(source, { channels, from = 0 }) {
  for (let start = from * RATE; start < SECONDS * RATE; start += STEP) {
    const data = new Float32Array(STEP * channels.length);
    for (let place = 0; place < data.length; place++) {
      const voice = channels[place % channels.length];
      data[place] = Math.max(-1, Math.min(1, voice((start + Math.floor(place / channels.length)) / RATE)));
    }
    const sample = new AudioSample({
      data,
      format: 'f32',
      numberOfChannels: channels.length,
      sampleRate: RATE,
      timestamp: start / RATE,
    });
    await source.add(sample);
    sample.close();
  }
  source.close();
}

/** Packets that no decoder accepts. */
async function damage(source) {
  const decoderConfig = {
    codec: 'mp4a.40.2',
    numberOfChannels: 1,
    sampleRate: RATE,
    description: Uint8Array.of(0x14, 0x08),
  };
  const data = new Uint8Array(300).fill(0xff);
  for (let place = 0; place * STEP < SECONDS * RATE; place++) {
    const packet = new EncodedPacket(data, 'key', (place * STEP) / RATE, STEP / RATE);
    await source.add(packet, { decoderConfig });
  }
  source.close();
}
