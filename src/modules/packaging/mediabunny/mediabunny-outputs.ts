import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  AudioSampleSource,
  CmafOutputFormat,
  EncodedAudioPacketSource,
  EncodedVideoPacketSource,
  FilePathTarget,
  HlsOutputFormat,
  Mp4OutputFormat,
  Output,
  PathedTarget,
  Quality,
  VideoSampleSource,
} from 'mediabunny';
import { copyAudio, copyVideo } from './copy-pumps.js';
import { encodeAudio, encodeVideo } from './encode-pumps.js';
import { PLAYLIST } from '../package-files.js';
import type { Tracks } from './mediabunny-facts.js';
import {
  KEY_FRAME_SECONDS,
  SEGMENT_SECONDS,
  type AudioEncoding,
  type PackagingPlan,
} from './packaging-plan.js';
import { joinShortTail } from './short-tail.js';
import { runPumps, Timeline, type Pump } from './pumps.js';

/**
 * Fixed quality, not a fixed bit rate: a static shared screen costs next to nothing. At the encoder's fastest preset, 26
 * looks like the source and is about its size.
 */
const VIDEO_QUALITY = new Quality({ quantizer: 26 });
const AUDIO_BITS_PER_CHANNEL = 64_000;

export interface OutputOptions {
  readonly tracks: Tracks;
  readonly plan: Pick<PackagingPlan, 'video' | 'audio'>;
  /** Size of the source in bytes; limits the duration of the output, as `media-limits.ts` defines. */
  readonly bytes: number;
  /** The time in the input, in seconds, that becomes 0. */
  readonly start: number;
  readonly onStep: (time: number) => void;
  /** Colour space, when the input does not specify it. */
  readonly colorSpace?: VideoColorSpaceInit;
}

/** Writes an MP4 with its index at the end, in one pass and without knowing its length; returns the seconds written. */
export function writeMp4(path: string, options: OutputOptions): Promise<number> {
  const format = new Mp4OutputFormat({ fastStart: false });
  return write(new Output({ format, target: new FilePathTarget(path) }), options);
}

/** Writes an MP4 with its index first, for players that read from the start; requires counting the packets up front. */
export async function writeFastStartMp4(path: string, options: OutputOptions): Promise<number> {
  const format = new Mp4OutputFormat({ fastStart: 'reserve' });
  return write(new Output({ format, target: new FilePathTarget(path) }), options, true);
}

/** Writes `hls/` into the folder: CMAF segments with audio and video, their playlist, and the multivariant playlist. */
export async function writeHls(folder: string, options: OutputOptions): Promise<number> {
  const playlist = join(folder, PLAYLIST);
  await mkdir(dirname(playlist), { recursive: true });
  const format = new HlsOutputFormat({
    segmentFormat: new CmafOutputFormat(),
    targetDuration: SEGMENT_SECONDS,
    getPlaylistPath: () => 'media.m3u8',
    getInitPath: () => 'init.mp4',
    getSegmentPath: ({ n }) => `segment-${String(n - 1).padStart(5, '0')}.m4s`,
  });
  const target = new PathedTarget(playlist, ({ path }) => new FilePathTarget(path));
  const duration = await write(new Output({ format, target }), options);
  await joinShortTail(dirname(playlist));
  return duration;
}

/** 0 to 1; 1 when the whole is unknown. */
export function fraction(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 1;
}

async function write(output: Output, options: OutputOptions, counted = false): Promise<number> {
  const timeline = new Timeline(options.bytes);
  try {
    const pumps = await addTracks(output, options, timeline, counted);
    await output.start();
    await runPumps(pumps, timeline, options.onStep);
    await output.finalize();
    return timeline.reached;
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
}

async function addTracks(
  output: Output,
  { tracks: { video, audio }, plan, start, colorSpace }: OutputOptions,
  timeline: Timeline,
  counted: boolean,
): Promise<Pump[]> {
  const pumps: Pump[] = [];
  const count = async (track: NonNullable<Tracks['video'] | Tracks['audio']>) =>
    counted ? { maximumPacketCount: (await track.computePacketStats()).packetCount } : {};
  if (video && plan.video?.copy) {
    const source = new EncodedVideoPacketSource((await video.getCodec()) ?? 'avc');
    output.addVideoTrack(source, await count(video));
    pumps.push(copyVideo(video, source, { start, timeline, colorSpace }));
  } else if (video && plan.video?.copy === false) {
    const source = videoEncoder();
    output.addVideoTrack(source);
    pumps.push(
      encodeVideo(video, source, { start, timeline, width: plan.video.width, height: plan.video.height }),
    );
  }
  if (audio && plan.audio?.copy) {
    const source = new EncodedAudioPacketSource((await audio.getCodec()) ?? 'aac');
    output.addAudioTrack(source, await count(audio));
    pumps.push(copyAudio(audio, source, { start, timeline }));
  } else if (audio && plan.audio?.copy === false) {
    const source = audioEncoder(plan.audio);
    output.addAudioTrack(source);
    pumps.push(encodeAudio(audio, source, { start, timeline }));
  }
  return pumps;
}

function videoEncoder(): VideoSampleSource {
  return new VideoSampleSource({
    codec: 'avc',
    quality: VIDEO_QUALITY,
    // The library offers two x264 presets: this one is `ultrafast`, the other is seven times slower.
    latencyMode: 'realtime',
    hardwareAcceleration: 'prefer-software',
    keyFrameInterval: KEY_FRAME_SECONDS,
  });
}

function audioEncoder({ channels, sampleRate }: AudioEncoding): AudioSampleSource {
  return new AudioSampleSource({
    codec: 'aac',
    quality: new Quality({ bitrate: AUDIO_BITS_PER_CHANNEL * channels }),
    transform: { numberOfChannels: channels, sampleRate },
  });
}
