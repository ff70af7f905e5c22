import { bytesText, countText, durationText } from './media-amounts.js';
import { UnplayableMediaError } from './unplayable-media.error.js';

/**
 * What a file may claim and what may be made of it. No real recording comes near these numbers, a file made to keep a
 * worker busy does; record 17 says where they come from.
 */
export const MEDIA_LIMITS = {
  /** Seconds, of any file. */
  duration: 25 * 60 * 60,
  /** A file may last this many seconds, and one more for each `bytesPerSecond`. */
  baseDuration: 30 * 60,
  bytesPerSecond: 4,
  /** Of all kinds. */
  tracks: 100,
  /** A track may have this many packets, and one more for each byte of the file. */
  basePackets: 10_000,
  /** Pixels. */
  side: 8192,
  /** 8K in the format of cinemas. */
  pixels: 8192 * 4320,
  channels: 64,
  /** Hertz. */
  sampleRate: { least: 4_000, most: 768_000 },
  /** Bytes of the index of one fragment of an MP4. */
  fragmentIndex: 64 * 1024 * 1024,
} as const;

/** CPU time for one file, in seconds. */
const CPU = {
  base: 60,
  /** Reading alone. */
  perByte: 1e-6,
  /** Filling pauses with a still picture and silence. */
  perSecond: 0.05,
  /** Decoding and encoding: the lower of the two counts. */
  codecPerByte: 0.004,
  codecPerSecond: 15,
} as const;

/** What is known of a file as a whole. */
export interface MediaSize {
  readonly bytes: number;
  /** Seconds; null when it is not known before the file is read. */
  readonly duration: number | null;
}

/** What a file says of itself or of one of its tracks, as far as it does. */
export interface MediaClaims {
  /** Seconds. */
  readonly duration?: number | null;
  readonly tracks?: number;
  /** Frames or samples of one track. */
  readonly packets?: number;
  /** Bytes of all packets of one track. */
  readonly packetBytes?: number;
  /** Pixels. */
  readonly picture?: { readonly width: number; readonly height: number } | null;
  readonly audio?: { readonly channels: number; readonly sampleRate: number } | null;
}

/** Seconds that a file of this many bytes may last. */
export function maxDuration(bytes: number): number {
  const { duration, baseDuration, bytesPerSecond } = MEDIA_LIMITS;
  return Math.min(duration, baseDuration + bytes / bytesPerSecond);
}

/** Throws `UnplayableMediaError`, which names the limit and the claim, where a file of this many bytes claims too much. */
export function requireWithinLimits(claims: MediaClaims, bytes: number): void {
  const refusal =
    refusedDuration(claims, bytes) ??
    refusedPackets(claims, bytes) ??
    refusedPicture(claims) ??
    refusedAudio(claims);
  if (refusal !== null) throw new UnplayableMediaError(refusal);
}

/** For what turns out to be longer than a file of this many bytes may be. */
export function tooLong(bytes: number): UnplayableMediaError {
  return new UnplayableMediaError(
    `The file goes on for longer than ${durationText(maxDuration(bytes))}, the most for ${bytesText(bytes)} of data`,
  );
}

/** Seconds of CPU time that a process may spend on a file: `read` only looks at it, `encode` does everything. */
export function cpuBudget({ bytes, duration }: MediaSize, work: 'read' | 'encode'): number {
  const reading = CPU.base + CPU.perByte * bytes;
  if (work === 'read') return Math.ceil(reading);
  const seconds = duration ?? maxDuration(bytes);
  const codecs = Math.min(CPU.codecPerByte * bytes, CPU.codecPerSecond * seconds);
  return Math.ceil(reading + CPU.perSecond * seconds + codecs);
}

/** For a file that took more CPU time than `seconds`. */
export function tooMuchCpu(seconds: number, bytes: number): UnplayableMediaError {
  return new UnplayableMediaError(
    `Processing the file takes more than ${countText(Math.round(seconds))} s of CPU time, the most for ${bytesText(bytes)} of data`,
  );
}

function refusedDuration({ duration }: MediaClaims, bytes: number): string | null {
  const most = maxDuration(bytes);
  if (!duration || duration <= most) return null;
  const claim = `The file claims to last ${durationText(duration)}`;
  return most === MEDIA_LIMITS.duration
    ? `${claim}; at most ${durationText(most)} are processed`
    : `${claim} with ${bytesText(bytes)} of data; at most ${durationText(most)} are processed for that much data`;
}

function refusedPackets(
  { tracks = 0, packets = 0, packetBytes = 0 }: MediaClaims,
  bytes: number,
): string | null {
  if (tracks > MEDIA_LIMITS.tracks) {
    return `The file has more than ${MEDIA_LIMITS.tracks} tracks, the most that are processed`;
  }
  const most = MEDIA_LIMITS.basePackets + bytes;
  if (packets > most) {
    return `A track claims to have ${countText(packets)} samples in ${bytesText(bytes)} of data; at most ${countText(most)} are processed for that much data`;
  }
  if (packetBytes > bytes) {
    return `A track claims to have ${bytesText(packetBytes)} of samples; the whole file has ${bytesText(bytes)}`;
  }
  return null;
}

function refusedPicture({ picture }: MediaClaims): string | null {
  const { side, pixels } = MEDIA_LIMITS;
  if (!picture) return null;
  const { width, height } = picture;
  if (Math.max(width, height) <= side && width * height <= pixels) return null;
  const most = `at most ${countText(side)} on a side, and 8,192 by 4,320 in all, are processed`;
  return `The picture has ${countText(width)} by ${countText(height)} pixels; ${most}`;
}

function refusedAudio({ audio }: MediaClaims): string | null {
  if (!audio) return null;
  const { channels, sampleRate } = MEDIA_LIMITS;
  if (audio.channels > channels) {
    return `The audio has ${countText(audio.channels)} channels; at most ${channels} are processed`;
  }
  if (audio.sampleRate >= sampleRate.least && audio.sampleRate <= sampleRate.most) return null;
  return `The audio has a sample rate of ${countText(audio.sampleRate)} Hz; from ${countText(sampleRate.least)} to ${countText(sampleRate.most)} Hz are processed`;
}
