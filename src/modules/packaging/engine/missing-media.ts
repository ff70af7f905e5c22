import type { MediaScan } from './media-scan.js';
import type { ProbedMedia, ProbedStream } from './media-tool.js';
import type { MediaTracks } from './media-tracks.js';

/** What has been produced, in seconds: the whole, and the end of each track, null for none. */
export interface MadeMedia {
  readonly duration: number;
  readonly video: number | null;
  readonly audio: number | null;
}

/** A difference of more than this fraction, or of more than these seconds, is said. */
const MOST = { fraction: 0.02, seconds: 0.5 } as const;
/** Seconds; encoders and containers round to frames of audio. */
const ROUNDING = 0.1;
/** Containers whose header has the duration. FFmpeg estimates it for the others, often wrongly. */
const SAYS_DURATION = new Set([
  'mov',
  'matroska',
  'wav',
  'w64',
  'aiff',
  'caf',
  'flac',
  'avi',
  'flv',
  'asf',
  'au',
]);

/**
 * Says in numbers what is missing from a package: media that the header of the file promises but the file does not
 * contain, or that the file contains but that could not be decoded. Null if nothing is.
 */
export function missingMedia(
  probed: ProbedMedia,
  tracks: MediaTracks,
  scan: MediaScan,
  made: MadeMedia,
): string | null {
  const notices = [
    promised(probed, tracks, scan),
    ...(['video', 'audio'] as const).map((kind) => undecoded(kind, tracks[kind], scan, made[kind])),
  ].filter((notice) => notice !== null);
  return notices.length > 0 ? notices.join(' ') : null;
}

function promised(
  { format, duration }: ProbedMedia,
  { video, audio }: MediaTracks,
  scan: MediaScan,
): string | null {
  if (!format.split(',').some((name) => SAYS_DURATION.has(name))) return null;
  const claims = [
    { claim: duration, found: scan.end },
    ...[video, audio].flatMap((stream) => {
      const track = stream && scan.tracks.get(stream.index);
      return stream && track ? [{ claim: stream.duration, found: track.end - Math.min(0, track.start) }] : [];
    }),
  ];
  const worst = claims
    .filter(({ claim, found }) => claim !== null && differs(claim, found))
    .toSorted((first, second) => first.found - second.found)[0];
  if (!worst) return null;
  return `According to its header the file lasts ${text(worst.claim ?? 0)}, but it contains only ${text(worst.found)}; the rest is missing from it.`;
}

function undecoded(
  kind: 'video' | 'audio',
  stream: ProbedStream | null,
  scan: MediaScan,
  made: number | null,
): string | null {
  const found = stream && scan.tracks.get(stream.index)?.end;
  if (typeof found !== 'number' || !differs(found, made ?? 0)) return null;
  return `Of ${text(found)} of ${kind}, only ${text(made ?? 0)} could be decoded; the rest is missing.`;
}

function differs(whole: number, part: number): boolean {
  const missing = whole - part;
  return missing > ROUNDING && (missing > MOST.fraction * whole || missing > MOST.seconds);
}

const text = (seconds: number): string => `${seconds.toFixed(1)} s`;
