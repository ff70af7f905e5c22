import { availableParallelism } from 'node:os';
import type { ChildBounds } from '../processes/confined-command.js';
import { bytesText, countText, durationText } from '../amounts.js';
import { UnplayableMediaError } from './media.errors.js';
import { HOUR_S, MINUTE_S } from '../durations.js';

/**
 * What a file may claim, and how much may be produced from it. No real recording comes near these numbers, but a file
 * crafted to keep a worker busy does (docs/decisions/0015-packaging.md).
 */
export const MEDIA_LIMITS = {
  /** Maximum for any file, in seconds: a day, and an hour to spare. */
  duration: 25 * HOUR_S,
  /**
   * A file may last this many seconds, plus one for every `bytesPerSecond` bytes. Silent Opus has 22 bytes a second,
   * silent AAC 280, and a VP8 screen that changes once a minute 5 to 10.
   */
  baseDuration: 30 * MINUTE_S,
  bytesPerSecond: 4,
  /** Tracks of all kinds together; a mixing desk records 64. */
  tracks: 100,
  /** Files joined end to end in one. */
  sessions: 1_000,
  /** A track may have this many packets, plus one for every byte of the file: even PCM has a byte for each sample. */
  basePackets: 10_000,
  side: 8192,
  /** DCI 8K. */
  pixels: 8192 * 4320,
  channels: 64,
  /** Hertz: telephones use 8,000, the fastest converters 768,000. */
  sampleRate: { min: 4_000, max: 768_000 },
  /** Pixels that the thumbnail of a package is wide at most. */
  thumbnailWidth: 640,
  /** Size in bytes of the index of one MP4 fragment. */
  fragmentIndex: 64 * 1024 * 1024,
} as const;

/** CPU time for one file, in seconds. */
const CPU = {
  base: 60,
  /** Reading. */
  perByte: 1e-6,
  /** Filling gaps with a still frame and silence. */
  perSecond: 0.05,
  /** Codecs: the lower applies. An unchanging 1080p picture has 30 bytes and takes 20 ms; 4K at 60/s takes 6 s. */
  codecPerByte: 0.004,
  codecPerSecond: 15,
} as const;

/** Memory and disk space of a process that handles a file, in bytes. */
const PROCESS = {
  /** Ten times what a normal file takes. */
  memory: 3 * 1024 ** 3,
  /** Decoders have threads for every core, each with a stack and frames of its own. */
  memoryPerCore: 64 * 1024 ** 2,
  /** The longest audio as samples, and more. */
  output: 4 * 1024 ** 3,
  /** There are up to three copies at a time, and what is encoded anew may be larger than its source. */
  outputPerByte: 8,
} as const;

/** What a file claims about itself or one of its tracks, in seconds, pixels and hertz; each claim is optional. */
export interface MediaClaims {
  readonly duration?: number | null;
  readonly tracks?: number;
  readonly sessions?: number;
  /** Frames or samples of one track. */
  readonly packets?: number;
  /** Bytes of all packets of one track. */
  readonly packetBytes?: number;
  /** Bytes of the index of one fragment. */
  readonly fragmentIndex?: number;
  /** Pixels. */
  readonly picture?: { readonly width: number; readonly height: number } | null;
  readonly audio?: { readonly channels: number; readonly sampleRate: number } | null;
}

/** Seconds that a file of this many bytes may last. */
export function maxDuration(bytes: number): number {
  const { duration, baseDuration, bytesPerSecond } = MEDIA_LIMITS;
  return Math.min(duration, baseDuration + bytes / bytesPerSecond);
}

/** Throws `UnplayableMediaError`, naming the claim and the limit, when a file of this many bytes claims too much. */
export function requireWithinLimits(claims: MediaClaims, bytes: number): void {
  for (const refusal of refusals(claims, bytes)) throw new UnplayableMediaError(refusal);
}

export const isWithinLimits = (claims: MediaClaims, bytes: number): boolean =>
  refusals(claims, bytes).next().done === true;

/** The error for media that turns out to be longer than a file of this many bytes may be. */
export const tooLong = (bytes: number): UnplayableMediaError =>
  new UnplayableMediaError(
    `The file is longer than ${durationText(maxDuration(bytes))}, the limit for ${bytesText(bytes)} of data.`,
  );

/** Seconds of CPU time that a process may spend on a file of this many bytes, which is as long as it may be. */
export function cpuBudget(bytes: number): number {
  const seconds = maxDuration(bytes);
  const codecs = Math.min(CPU.codecPerByte * bytes, CPU.codecPerSecond * seconds);
  return Math.ceil(CPU.base + CPU.perByte * bytes + CPU.perSecond * seconds + codecs);
}

/** What the kernel lets a process use that handles a file of this many bytes. */
export const processBounds = (bytes: number, cpuSeconds: number): ChildBounds => ({
  memoryBytes: PROCESS.memory + PROCESS.memoryPerCore * availableParallelism(),
  cpuSeconds,
  outputBytes: PROCESS.output + PROCESS.outputPerByte * bytes,
});

/** The error for a file from which more is written than `processBounds` allows. */
export const tooMuchOutput = ({ outputBytes }: ChildBounds): UnplayableMediaError =>
  new UnplayableMediaError(
    `Processing the file needs more than ${bytesText(outputBytes)} of disk space, which is the limit.`,
  );

/** The error for a file that needs more than `seconds` of CPU time. */
export const tooMuchCpu = (seconds: number, bytes: number): UnplayableMediaError =>
  new UnplayableMediaError(
    `Processing the file takes more than ${countText(Math.round(seconds))} s of CPU time, the limit for ${bytesText(bytes)} of data.`,
  );

/** Why a file of this many bytes is refused, for each claim that is too large. */
function* refusals(claims: MediaClaims, bytes: number): Generator<string, void> {
  const { duration, tracks = 0, sessions = 0, packets = 0, packetBytes = 0, picture, audio } = claims;
  const { side, pixels, channels, sampleRate, fragmentIndex } = MEDIA_LIMITS;
  const longest = maxDuration(bytes);
  if (duration && duration > longest) {
    const claim = `The file claims to last ${durationText(duration)}`;
    yield longest === MEDIA_LIMITS.duration
      ? `${claim}; the limit is ${durationText(longest)}.`
      : `${claim} with ${bytesText(bytes)} of data; the limit for that much data is ${durationText(longest)}.`;
  }
  if (sessions > MEDIA_LIMITS.sessions)
    yield `The file consists of more than ${countText(MEDIA_LIMITS.sessions)} recordings joined end to end, which is the limit.`;
  if (tracks > MEDIA_LIMITS.tracks)
    yield `The file has more than ${MEDIA_LIMITS.tracks} tracks, which is the limit.`;
  const most = MEDIA_LIMITS.basePackets + bytes;
  if (packets > most)
    yield `A track claims to have ${countText(packets)} samples in ${bytesText(bytes)} of data; the limit for that much data is ${countText(most)}.`;
  if (packetBytes > bytes)
    yield `A track claims to have ${bytesText(packetBytes)} of samples, but the whole file has only ${bytesText(bytes)}.`;
  if (claims.fragmentIndex !== undefined && claims.fragmentIndex > fragmentIndex)
    yield `The index of a fragment has ${bytesText(claims.fragmentIndex)}; the limit is ${bytesText(fragmentIndex)}.`;
  if (
    picture &&
    (Math.max(picture.width, picture.height) > side || picture.width * picture.height > pixels)
  ) {
    const size = `${countText(picture.width)} × ${countText(picture.height)}`;
    yield `The picture has ${size} pixels; the limit is ${countText(side)} on either side and 8,192 × 4,320 in total.`;
  }
  if (audio && audio.channels > channels)
    yield `The audio has ${countText(audio.channels)} channels; the limit is ${channels}.`;
  if (audio && (audio.sampleRate < sampleRate.min || audio.sampleRate > sampleRate.max))
    yield `The audio has a sample rate of ${countText(audio.sampleRate)} Hz; the supported range is ${countText(sampleRate.min)} to ${countText(sampleRate.max)} Hz.`;
}
