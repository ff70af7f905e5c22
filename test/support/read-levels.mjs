// Decodes files as a player would and measures their sound: `node read-levels.mjs FILES`, the latter as JSON, prints
// `MeasuredSound` of each (`sounds.ts`). A child process, as native code and Jest's VM are incompatible.
import { readFileSync } from 'node:fs';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  ALL_FORMATS,
  AudioSampleSink,
  BufferSource,
  CustomPathedSource,
  EncodedPacketSink,
  Input,
} from 'mediabunny';

/** Only the middle of each quarter of a second is measured: encoders smear and delay its edges. */
const MIDDLE = { from: 0.1, to: 0.2 };

registerMediabunnyServer({ hardwareContext: null });
const measured = [];
for (const file of JSON.parse(process.argv[2])) measured.push(await measure(file));
process.stdout.write(JSON.stringify(measured), () => process.exit(0));

/** Times are counted from `origin`, in seconds. */
async function measure({ path, origin = 0 }) {
  // `FilePathSource` of mediabunny 1.61 fails on playlists of less than a kilobyte.
  const source = new CustomPathedSource(path, (request) => new BufferSource(readFileSync(request.path)));
  const input = new Input({ source, formats: ALL_FORMATS });
  const [video, audio] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const quarters = [];
  let seconds = 0;
  if (audio) {
    for await (const sample of new AudioSampleSink(audio).samples()) {
      add(quarters, sample, sample.timestamp - origin);
      seconds = Math.max(seconds, sample.timestamp - origin + sample.duration);
      sample.close();
    }
  }
  const levels = quarters.map(({ squares, count }) => Math.sqrt((2 * squares) / Math.max(1, count)));
  return { seconds, levels, video: video && (await shownIn(video, origin)) };
}

async function shownIn(track, origin) {
  const shown = { start: Infinity, end: 0 };
  for await (const { timestamp, duration } of new EncodedPacketSink(track).packets()) {
    shown.start = Math.min(shown.start, timestamp - origin);
    shown.end = Math.max(shown.end, timestamp - origin + duration);
  }
  return shown;
}

/** Adds the samples, averaged over the channels. */
function add(quarters, sample, start) {
  const channels = Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const options = { planeIndex, format: 'f32-planar' };
    const values = new Float32Array(sample.allocationSize(options) / 4);
    sample.copyTo(values, options);
    return values;
  });
  for (let place = 0; place < sample.numberOfFrames; place++) {
    const at = start + place / sample.sampleRate;
    const quarter = Math.floor(at * 4);
    if (quarter < 0) continue;
    while (quarters.length <= quarter) quarters.push({ squares: 0, count: 0 });
    const within = at - quarter / 4;
    if (within < MIDDLE.from || within >= MIDDLE.to) continue;
    const value = channels.reduce((sum, values) => sum + values[place], 0) / channels.length;
    quarters[quarter].squares += value ** 2;
    quarters[quarter].count += 1;
  }
}
