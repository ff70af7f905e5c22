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
 * contain, or that the file contains but that could not be decoded. Null if nothing is. `claimed` are the seconds that only
 * this service's own look at the header has found.
 */
export function missingMedia(
  probed: ProbedMedia,
  tracks: MediaTracks,
  scan: MediaScan,
  made: MadeMedia,
  claimed: number | null = null,
): string | null {
  const notices = [
    promised(probed, tracks, scan, claimed),
    ...(['video', 'audio'] as const).map((kind) => undecoded(kind, tracks[kind], scan, made[kind])),
  ].filter((notice) => notice !== null);
  return notices.length > 0 ? notices.join(' ') : null;
}

/** The longest claim counts, that of the file before those of its tracks. */
function promised(
  { format, duration }: ProbedMedia,
  { video, audio }: MediaTracks,
  scan: MediaScan,
  claimed: number | null,
): string | null {
  const says = format.split(',').some((name) => SAYS_DURATION.has(name));
  const tracks = [video, audio].flatMap((stream) => {
    const track = stream && scan.tracks.get(stream.index);
    return stream && track ? [{ stream, track }] : [];
  });
  const slack = Math.max(...tracks.map(({ track }) => track.interval));
  const claims = [
    { claim: claimed, found: scan.end },
    { claim: says ? duration : null, found: scan.end },
    ...tracks.map(({ stream, track }) => ({
      claim: says ? stream.duration : null,
      found: track.end - Math.min(0, track.start),
    })),
  ];
  // FFmpeg corrects the duration of some truncated files, but not those of their tracks.
  const [missing] = claims
    .filter(({ claim, found }) => claim !== null && differs(claim, found, slack))
    .toSorted((first, second) => (second.claim ?? 0) - (first.claim ?? 0));
  if (!missing) return null;
  return `According to its header the file lasts ${text(missing.claim ?? 0)}, but it contains only ${text(missing.found)}; the rest is missing from it.`;
}

function undecoded(
  kind: 'video' | 'audio',
  stream: ProbedStream | null,
  scan: MediaScan,
  made: number | null,
): string | null {
  const found = stream && scan.tracks.get(stream.index);
  if (!found || !differs(found.end, made ?? 0, found.interval)) return null;
  return `Of ${text(found.end)} of ${kind}, only ${text(made ?? 0)} could be decoded; the rest is missing.`;
}

/** `slack` are seconds that a packet lasts: containers and encoders disagree by one or two. */
function differs(whole: number, part: number, slack: number): boolean {
  const missing = whole - part;
  if (missing <= Math.max(ROUNDING, 2 * slack)) return false;
  return missing > MOST.fraction * whole || missing > MOST.seconds;
}

const text = (seconds: number): string => `${seconds.toFixed(1)} s`;
