import type { SoundCount } from './media-tool.js';
import type { MediaTrack, MediaTracks, Session, SourceMedia } from './source-media.js';

/** What has been produced, in seconds: the whole, and the end of each track, null for none. */
export interface MadeMedia {
  readonly duration: number;
  readonly video: number | null;
  readonly audio: number | null;
}

/** A difference of more than this fraction, or of more than these seconds, is reported. */
const MAX = { fraction: 0.02, seconds: 0.5 } as const;
/** Seconds, for each file that was joined; encoders and containers round to frames of audio. */
const ROUNDING = 0.1;
/** Containers whose header has the duration. FFmpeg estimates it for the others, often wrongly. */
const SAYS_DURATION = new Set('mov matroska wav w64 aiff caf flac avi flv asf au'.split(' '));
/** Containers that hold compressed audio, of which FFmpeg only guesses how long it lasts. */
const GUESSES_COMPRESSED = new Set(['wav', 'w64']);

/**
 * States in numbers what is missing from a package: media that the header of a file promises but the file does not
 * contain, what the file contains but could not be decoded, and sound that was decoded but is not in the result. Null
 * if nothing is. `sound` is null for sound that was copied, and for a tool that does not count.
 */
export function missingMedia(
  source: SourceMedia,
  tracks: MediaTracks,
  made: MadeMedia,
  sound: SoundCount | null,
): string | null {
  const joined = source.sessions.length;
  return (
    [
      source.notice,
      ...source.sessions.map((session) => promised(session, tracks)),
      ...(['video', 'audio'] as const).map((kind) => undecoded(kind, tracks[kind], made[kind])),
      tracks.audio && sound && unheard(tracks.audio, sound, joined),
    ]
      .filter(Boolean)
      .join(' ') || null
  );
}

/** The longest claim counts, that of the file before those of its tracks. */
function promised(session: Session, tracks: MediaTracks): string | null {
  const { probed, scan, claimedSeconds } = session;
  const names = probed.format.split(',');
  const says = names.some((name) => SAYS_DURATION.has(name));
  const played = new Set([tracks.video, tracks.audio].flatMap((track) => track?.streams.flat() ?? []));
  const own = [session.video, ...session.audio].flatMap((stream) => {
    const track = stream && played.has(stream) ? scan.tracks.get(stream.index) : undefined;
    return stream && track ? [{ stream, track }] : [];
  });
  const guessed =
    names.some((name) => GUESSES_COMPRESSED.has(name)) &&
    !own.every(({ stream: { codec } }) => codec?.startsWith('pcm_'));
  const slack = Math.max(0, ...own.map(({ track }) => track.interval));
  const claims = [{ claim: claimedSeconds ?? 0, found: scan.end }];
  if (says && !guessed) {
    claims.push({ claim: probed.duration ?? 0, found: scan.end });
    // FFmpeg corrects the duration of some truncated files, but not those of their tracks.
    for (const { stream, track } of own)
      claims.push({ claim: stream.duration ?? 0, found: track.end - Math.min(0, track.start) });
  }
  const [missing] = claims
    .filter(({ claim, found }) => differs(claim, found, 2 * slack))
    .toSorted((first, second) => second.claim - first.claim);
  if (!missing) return null;
  return `According to its header the file lasts ${text(missing.claim)}, but it contains only ${text(missing.found)}; the rest is missing from it.`;
}

function undecoded(kind: 'video' | 'audio', track: MediaTrack | null, made: number | null): string | null {
  if (!track || !differs(track.scan.end, made ?? 0, 2 * track.scan.interval)) return null;
  return `Of ${text(track.scan.end)} of ${kind}, only ${text(made ?? 0)} could be decoded; the rest is missing.`;
}

function unheard({ scan }: MediaTrack, { decoded, lost }: SoundCount, joined: number): string | null {
  const slack = joined * (ROUNDING + 2 * scan.interval);
  if (differs(scan.sound, decoded, slack))
    return `Of ${text(scan.sound)} of sound, only ${text(decoded)} could be decoded; the rest is missing.`;
  if (!differs(decoded, decoded - lost, slack)) return null;
  return `Of ${text(decoded)} of sound, ${text(lost)} could not be converted and are missing.`;
}

/** `slack` are seconds by which containers and encoders disagree. */
function differs(whole: number, part: number, slack: number): boolean {
  const missing = whole - part;
  if (missing <= Math.max(ROUNDING, slack)) return false;
  return missing > MAX.fraction * whole || missing > MAX.seconds;
}

const text = (seconds: number): string => `${seconds.toFixed(1)} s`;
