// Generates small test videos with audio: `node make-media.mjs FOLDER [NAME...]`, all without names. A child process,
// as native code and Jest's VM are incompatible. Only needs the project's own libraries.
import { join } from 'node:path';
import { registerMediabunnyServer } from '@mediabunny/server';
import {
  AudioSample,
  AudioSampleSource,
  FilePathTarget,
  MkvOutputFormat,
  Mp4OutputFormat,
  OggOutputFormat,
  Output,
  Quality,
  VideoSample,
  VideoSampleSource,
  WavOutputFormat,
  WebMOutputFormat,
} from 'mediabunny';

const RATE = 15;
const SAMPLE_RATE = 48_000;
/** The picture flashes and the audio beeps at the same time, to check that they stay in sync. */
const EVENT = { start: 1, end: 1.2 };

const [folder, ...names] = process.argv.slice(2);
registerMediabunnyServer({ hardwareContext: null });

const webm = (appendOnly) => new WebMOutputFormat({ appendOnly });
const mp4 = (fastStart) => new Mp4OutputFormat({ fastStart });
const h264 = { codec: 'avc', rotation: 0 };

await Promise.all([
  film('fast-start.mp4', mp4('in-memory'), h264, 'aac'),
  film('index-last.mp4', mp4(false), h264, 'aac'),
  film('fragmented.mp4', mp4('fragmented'), h264, 'aac'),
  film('rotated.mp4', mp4('in-memory'), { codec: 'avc', rotation: 90 }, 'aac'),
  film('short.mp4', mp4('in-memory'), h264, 'aac', { seconds: 0.2 }),
  film('no-sound.mp4', mp4('in-memory'), h264, null),
  film('sound.m4a', mp4('in-memory'), null, 'aac'),
  film('sound.webm', webm(true), null, 'opus'),
  film('sound.ogg', new OggOutputFormat(), null, 'opus'),
  film('sound.wav', new WavOutputFormat(), null, 'pcm-s16'),
  film('vp8.webm', webm(false), { codec: 'vp8', rotation: 0 }, 'opus'),
  film('live.webm', webm(true), { codec: 'vp9', rotation: 0 }, 'opus'),
  film('odd.webm', webm(false), { codec: 'vp8', rotation: 0 }, null, { width: 321, height: 181 }),
  film('paused.webm', webm(true), { codec: 'vp8', rotation: 0 }, 'opus', { pause: { at: 2, seconds: 12 } }),
  film('long-sound.mp4', mp4('in-memory'), h264, 'aac', { seconds: 6, soundSeconds: 6.6 }),
  film('late-sound.mkv', new MkvOutputFormat(), h264, 'aac', { soundStart: 1.5, seconds: 4 }),
]);
process.exit(0);

async function film(name, format, video, audio, options = {}) {
  if (names.length > 0 && !names.includes(name)) return;
  const { seconds = 3, width = 320, height = 180, pause = null, soundStart = 0 } = options;
  const soundEnd = options.soundSeconds ?? seconds + (pause?.seconds ?? 0);
  const output = new Output({ format, target: new FilePathTarget(join(folder, name)) });
  const pictures = video && new VideoSampleSource(videoConfig(video.codec));
  const sounds = audio && new AudioSampleSource({ codec: audio, quality: new Quality({ bitrate: 96_000 }) });
  if (pictures) output.addVideoTrack(pictures, { rotation: video.rotation });
  if (sounds) output.addAudioTrack(sounds);
  await output.start();
  await Promise.all([
    pictures && addPictures(pictures, { seconds, width, height, pause }),
    sounds && addSound(sounds, soundStart, soundEnd),
  ]);
  await output.finalize();
}

function videoConfig(codec) {
  const quality = new Quality({ bitrate: 400_000 });
  return {
    codec,
    quality,
    latencyMode: 'realtime',
    hardwareAcceleration: 'prefer-software',
    keyFrameInterval: 1,
  };
}

async function addPictures(source, { seconds, width, height, pause }) {
  for (let frame = 0; frame < Math.round(seconds * RATE); frame++) {
    const at = frame / RATE;
    const timestamp = pause && at >= pause.at ? at + pause.seconds : at;
    const data = picture(width, height, at);
    const sample = new VideoSample(data, {
      format: 'RGBX',
      codedWidth: width,
      codedHeight: height,
      timestamp,
      duration: 1 / RATE,
    });
    await source.add(sample);
    sample.close();
  }
  source.close();
}

/**
 * The top left quarter is red, so that rotation can be detected; the rest is grey with a moving bar, or flashes white.
 */
function picture(width, height, at) {
  const data = Buffer.alloc(4 * width * height);
  const flash = at >= EVENT.start && at < EVENT.end;
  const bar = Math.floor((at * 60) % width);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const red = x < width / 2 && y < height / 2;
      const grey = flash ? 0xf0 : x === bar ? 0xb0 : 0x40;
      data.writeUInt32BE(
        red ? 0xd02020ff : ((grey << 24) | (grey << 16) | (grey << 8) | 0xff) >>> 0,
        4 * (y * width + x),
      );
    }
  }
  return data;
}

async function addSound(source, start, end) {
  const STEP = 0.1;
  for (let step = 0; step < Math.round((end - start) / STEP); step++) {
    const timestamp = start + step * STEP;
    const frames = Math.round(STEP * SAMPLE_RATE);
    const data = new Float32Array(frames);
    for (let i = 0; i < frames; i++) {
      const at = timestamp + i / SAMPLE_RATE;
      const loud = at >= EVENT.start && at < EVENT.end ? 0.8 : 0.02;
      data[i] = loud * Math.sin(2 * Math.PI * 440 * at);
    }
    const sample = new AudioSample({
      data,
      format: 'f32',
      numberOfChannels: 1,
      sampleRate: SAMPLE_RATE,
      timestamp,
    });
    await source.add(sample);
    sample.close();
  }
  source.close();
}
