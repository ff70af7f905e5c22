// Encodes some minutes of silence in chunks of growing length and prints how many bytes the process has grown:
// `node encode-audio.mjs CODECS`, where CODECS is the built `codecs.js`.
import { pathToFileURL } from 'node:url';
import { AudioSample, AudioSampleSource, Mp4OutputFormat, NullTarget, Output, Quality } from 'mediabunny';

const SAMPLE_RATE = 48_000;
const CHANNELS = 2;
const MINUTES = 5;

const { registerCodecs } = await import(pathToFileURL(process.argv[2]).href);
registerCodecs();
const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new NullTarget() });
const source = new AudioSampleSource({ codec: 'aac', quality: new Quality({ bitrate: 96_000 }) });
output.addAudioTrack(source);
await output.start();

let before = 0;
let frames = 0;
for (let piece = 0; frames < MINUTES * 60 * SAMPLE_RATE; piece++) {
  const length = 500 + piece * 100;
  const data = new Float32Array(length * CHANNELS);
  const timestamp = frames / SAMPLE_RATE;
  const sample = new AudioSample({
    data,
    format: 'f32',
    numberOfChannels: CHANNELS,
    sampleRate: SAMPLE_RATE,
    timestamp,
  });
  await source.add(sample);
  sample.close();
  frames += length;
  if (piece === 200) before = process.memoryUsage.rss();
}
await output.finalize();
process.stdout.write(String(process.memoryUsage.rss() - before), () => process.exit(0));
