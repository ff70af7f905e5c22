// Reads packages completely, as a player would: `node read-media.mjs '[{"folder":"...","file":"..."}]'` prints JSON
// about the HLS in each folder, and the file. A child process, as native code and Jest's VM are incompatible.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  ALL_FORMATS,
  AudioSampleSink,
  BufferSource,
  CustomPathedSource,
  EncodedPacketSink,
  Input,
  VideoSampleSink,
} from 'mediabunny';

const LOUD = 0.3;
const BRIGHT = 180;

registerMediabunnyServer({ hardwareContext: null });
const result = [];
for (const { folder, file } of JSON.parse(process.argv[2])) {
  const hls = await readMedia(join(folder, 'hls/master.m3u8'));
  result.push({ hls, segments: await readSegments(folder), file: file ? await readMedia(file) : null });
}
process.stdout.write(JSON.stringify(result), () => process.exit(0));

async function readMedia(path) {
  // `FilePathSource` of mediabunny 1.61 fails on playlists of less than a kilobyte.
  const source = new CustomPathedSource(path, (request) => new BufferSource(readFileSync(request.path)));
  const input = new Input({ source, formats: ALL_FORMATS });
  const video = await input.getPrimaryVideoTrack();
  const audio = await input.getPrimaryAudioTrack();
  return {
    type: await input.getMimeType(),
    duration: await input.computeDuration(),
    start: await input.getFirstTimestamp(),
    video: video && (await readVideo(video)),
    audio: audio && (await readAudio(audio)),
  };
}

async function readVideo(track) {
  const facts = { codec: await track.getCodec(), frames: 0, flashAt: null, end: 0, longestFrame: 0 };
  facts.rotation = await track.getRotation();
  for await (const sample of new VideoSampleSink(track).samples()) {
    facts.frames++;
    facts.longestFrame = Math.max(facts.longestFrame, sample.timestamp - facts.end);
    facts.end = sample.timestamp;
    [facts.width, facts.height] = [sample.displayWidth, sample.displayHeight];
    const pixels = await pixelsOf(sample);
    if (facts.frames === 1) facts.redCorner = redCorner(pixels, sample.codedWidth, sample.codedHeight);
    if (facts.flashAt === null && pixels.bottomRight > BRIGHT) facts.flashAt = sample.timestamp;
    sample.close();
  }
  return facts;
}

async function pixelsOf(sample) {
  const data = Buffer.alloc(sample.allocationSize({ format: 'RGBX' }));
  await sample.copyTo(data, { format: 'RGBX' });
  const { codedWidth: width, codedHeight: height } = sample;
  const at = (x, y) => 4 * (Math.floor(height * y) * width + Math.floor(width * x));
  return { data, at, bottomRight: data[at(0.8, 0.8)] };
}

function redCorner({ data, at }) {
  const corners = {
    topLeft: at(0.2, 0.2),
    topRight: at(0.8, 0.2),
    bottomLeft: at(0.2, 0.8),
    bottomRight: at(0.8, 0.8),
  };
  const isRed = (place) => data[place] - data[place + 1] > 60;
  return Object.keys(corners).find((name) => isRed(corners[name])) ?? null;
}

async function readAudio(track) {
  const facts = { codec: await track.getCodec(), seconds: 0, beepAt: null };
  for await (const sample of new AudioSampleSink(track).samples()) {
    const options = { planeIndex: 0, format: 'f32-planar' };
    const values = new Float32Array(sample.allocationSize(options) / 4);
    sample.copyTo(values, options);
    const loud = values.findIndex((value) => Math.abs(value) > LOUD);
    if (facts.beepAt === null && loud >= 0) facts.beepAt = sample.timestamp + loud / sample.sampleRate;
    facts.seconds += sample.duration;
    sample.close();
  }
  return facts;
}

/** Whether each segment, read after the init segment, starts with a key frame. */
async function readSegments(folder) {
  const playlist = readFileSync(join(folder, 'hls/media.m3u8'), 'utf8');
  const media = readFileSync(join(folder, 'hls/media.mp4'));
  const ranges = [...playlist.matchAll(/BYTERANGE[:=]"?(\d+)@(\d+)/g)].map(([, length, at]) =>
    media.subarray(Number(at), Number(at) + Number(length)),
  );
  const durations = [...playlist.matchAll(/#EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds));
  const [init, ...segments] = ranges;
  const keys = [];
  for (const segment of segments) {
    const data = Buffer.concat([init, segment]);
    const input = new Input({ source: new BufferSource(data), formats: ALL_FORMATS });
    const track = await input.getPrimaryVideoTrack();
    const packet = track && (await new EncodedPacketSink(track).getFirstPacket());
    keys.push(packet ? (await track.determinePacketType(packet)) === 'key' : null);
  }
  return { durations, keys, playlist, master: readFileSync(join(folder, 'hls/master.m3u8'), 'utf8') };
}
