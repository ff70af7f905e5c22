import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesText } from '../../amounts.js';
import { isWithinLimits, maxDuration, requireWithinLimits, tooLong } from '../media-limits.js';
import type { SourceSession } from '../source-file.js';
import { UnplayableMediaError } from '../media.errors.js';
import { scanMedia, type MediaScan, type TrackScan } from './media-scan.js';
import type {
  Conversion,
  MediaPart,
  MediaTool,
  OutputFile,
  ProbedMedia,
  ProbedStream,
} from './media-tool.js';

/** One of the files that a source consists of, nearly always the only one. */
export interface Session {
  readonly part: MediaPart;
  readonly probed: ProbedMedia;
  /** Seconds that this service's own look at the header has found. */
  readonly claimedSeconds: number | null;
  /** The video that players play. */
  readonly video: ProbedStream | null;
  /** Every track of sound that can be decoded, in the order of the file. */
  readonly audio: readonly ProbedStream[];
  readonly scan: MediaScan;
  /** Seconds in the whole at which it begins. */
  readonly at: number;
}

/** What a source contains, whatever its headers say. */
export class SourceMedia {
  constructor(
    /** There is at least one. */
    readonly sessions: readonly Session[],
    /** Seconds at which the last one ends. */
    readonly end: number,
    /** What is missing of the files that were joined, for users; null if nothing is. */
    readonly notice: string | null,
  ) {}

  get inputs(): Conversion['inputs'] {
    return this.sessions.map(({ part, at }) => ({ ...part, at }));
  }

  /** The same on the time line of a recording that began this many seconds earlier. */
  moved(offset: number): SourceMedia {
    const sessions = this.sessions.map((session) => ({ ...session, at: session.at + offset }));
    return new SourceMedia(sessions, this.end + offset, this.notice);
  }

  /** A track of these streams, given for each session; null if none of them has packets. */
  trackOf(choose: (session: Session) => readonly ProbedStream[]): MediaTrack | null {
    const streams = this.sessions.map((session) =>
      choose(session).filter(({ index }) => session.scan.tracks.has(index)),
    );
    const scans = this.sessions.flatMap(({ scan, at }, place) =>
      (streams[place] ?? []).flatMap(({ index }) => {
        const track = scan.tracks.get(index);
        return track ? [{ ...track, start: at + track.start, end: at + track.end }] : [];
      }),
    );
    const [first] = streams.flat();
    const [scan, ...others] = scans;
    return first && scan ? { streams, first, scan: others.reduce(together, scan) } : null;
  }

  /** Seconds at which a conversion stops: a little over the limit, so that what is too long is noticed. */
  stopAt(bytes: number): number {
    return Math.min(this.end, maxDuration(bytes)) + 1;
  }

  /** The fraction that has been read at this second. */
  doneAt(seconds: number): number {
    return Math.min(1, seconds / Math.max(this.end, 0.001));
  }
}

/** One of the files that were joined, which cannot be read. */
interface Unread {
  readonly error: UnplayableMediaError;
  readonly bytes: number;
}

/** A track as it is played: what it is made of in each session, and when. */
export interface MediaTrack {
  /** Streams of each session: several of audio are mixed; none where the session has no such track. */
  readonly streams: readonly (readonly ProbedStream[])[];
  /** Describes the track. */
  readonly first: ProbedStream;
  /** What was found in all of them together, in seconds of the whole. */
  readonly scan: TrackScan;
}

/** The tracks that are played. Cover images, subtitles and data are ignored. */
export interface MediaTracks {
  readonly video: MediaTrack | null;
  readonly audio: MediaTrack | null;
}

/** More than anyone's connection breaks down in a meeting; each keeps a file open for FFmpeg's program. */
const MAX_JOINED = 100;
/** Files that hold one image in one of these say that it is a video. */
const PICTURE_CODECS = new Set(['mjpeg', 'png', 'gif', 'bmp', 'webp', 'tiff']);

/**
 * Reads the headers and all packets of a source of this many bytes, by default of a single session. Throws
 * `UnplayableMediaError` if nothing can be read, or if it exceeds the limits in `media-limits.ts`. Whether tracks can be
 * played is for the caller to decide, so that all readers of a source get the same times.
 */
export async function readSource(
  tool: MediaTool,
  path: string,
  bytes: number,
  sessions: readonly SourceSession[] = [{ start: 0, end: bytes, claimedSeconds: null }],
): Promise<SourceMedia> {
  const read: Session[] = [];
  const unread: Unread[] = [];
  const beyond: number[] = [];
  let end = 0;
  for (const { claimedSeconds, ...range } of sessions) {
    const isWhole = sessions.length === 1;
    const partBytes = isWhole ? bytes : range.end - range.start;
    const session = await orDamage(readSession(tool, isWhole ? { path } : { path, range }, partBytes));
    if (session instanceof UnplayableMediaError) unread.push({ error: session, bytes: partBytes });
    else if (read.length === MAX_JOINED) beyond.push(session.scan.end);
    else {
      read.push({ ...session, claimedSeconds, at: end });
      end += session.scan.end;
    }
  }
  if (read.length === 0) throw unread[0]?.error ?? new Error('A source has at least one session');
  if (end > maxDuration(bytes)) throw tooLong(bytes);
  const notices = [unreadNotice(sessions.length, unread), beyondNotice(beyond)];
  return new SourceMedia(read, end, notices.filter(Boolean).join(' ') || null);
}

/** Converts media into one temporary file, and returns what `read` makes of it. */
export async function readConverted<T>(
  tool: MediaTool,
  media: SourceMedia,
  output: OutputFile,
  part: Omit<Conversion, 'inputs' | 'outputs'>,
  read: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(tool.folder, output.name);
  try {
    await tool.convert({ inputs: media.inputs, outputs: [output], ...part });
    return await read(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** The error if the media is at fault. */
const orDamage = <T>(work: Promise<T>): Promise<T | UnplayableMediaError> =>
  work.catch((error: unknown) => {
    if (error instanceof UnplayableMediaError) return error;
    throw error;
  });

/** Null if the media is at fault. */
export const unlessDamaged = async <T>(work: Promise<T>): Promise<T | null> => {
  const result = await orDamage(work);
  return result instanceof UnplayableMediaError ? null : result;
};

export const isDecodable = ({ kind, codec, width, sampleRate }: ProbedStream): boolean =>
  codec !== null && (kind === 'video' ? width : sampleRate) > 0;

/** The track of this kind that players play. */
export function primaryStream(
  streams: readonly ProbedStream[],
  kind: 'video' | 'audio',
): ProbedStream | null {
  const candidates = streams.filter((stream) => stream.kind === kind && !stream.isPicture);
  return candidates.find(({ isDefault }) => isDefault) ?? candidates[0] ?? null;
}

/** Upright, with square pixels; neither side is reduced. */
export function shownSize({ width: across, height: down, pixelAspect, matrix }: ProbedStream) {
  const width = Math.round(across * Math.max(1, pixelAspect));
  const height = Math.round(down * Math.max(1, 1 / pixelAspect));
  return matrix[1] === 0 ? { width, height } : { width: height, height: width };
}

async function readSession(
  tool: MediaTool,
  part: MediaPart,
  bytes: number,
): Promise<Omit<Session, 'at' | 'claimedSeconds'>> {
  const probed = await tool.probe(part);
  const { streams, duration } = probed;
  const primary = primaryStream(streams, 'video');
  const picture = primary && shownSize(primary);
  requireWithinLimits({ tracks: streams.length, picture, audio: primaryStream(streams, 'audio') }, bytes);
  requireWithinLimits({ duration }, bytes);
  const audio = streams.filter(
    (stream) => stream.kind === 'audio' && isDecodable(stream) && isWithinLimits({ audio: stream }, bytes),
  );
  const scan = await scanMedia(tool, part, probed, primary ? [primary, ...audio] : audio, bytes);
  const frames = primary ? (scan.tracks.get(primary.index)?.packets ?? 0) : 0;
  const isPicture = PICTURE_CODECS.has(primary?.codec ?? '') && frames < 2;
  return { part, probed, video: frames > 0 && !isPicture ? primary : null, audio, scan };
}

const together = (one: TrackScan, other: TrackScan): TrackScan => ({
  ...one,
  packets: one.packets + other.packets,
  sound: one.sound + other.sound,
  start: Math.min(one.start, other.start),
  end: Math.max(one.end, other.end),
  interval: Math.max(one.interval, other.interval),
  keyFrameGap: Math.max(one.keyFrameGap, other.keyFrameGap),
});

function unreadNotice(total: number, unread: readonly Unread[]): string {
  if (unread.length === 0) return '';
  const bytes = bytesText(unread.reduce((sum, part) => sum + part.bytes, 0));
  return `Of ${total} recordings that are joined in the file, ${unread.length} (${bytes}) cannot be read and ${unread.length === 1 ? 'is' : 'are'} missing: ${unread[0]?.error.message}`;
}

function beyondNotice(beyond: readonly number[]): string {
  if (beyond.length === 0) return '';
  const seconds = beyond.reduce((sum, duration) => sum + duration, 0);
  return `More than ${MAX_JOINED} recordings are joined in the file: the last ${seconds.toFixed(1)} s are missing.`;
}
