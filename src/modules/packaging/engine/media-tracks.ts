import type { AudioFacts, MediaFacts, VideoFacts } from '../media-facts.js';
import { requireWithinLimits } from '../media-limits.js';
import type { SourceFile } from '../source-file.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import type { ProbedMedia, ProbedStream } from './media-tool.js';
import type { MediaScan } from './media-scan.js';

/** The tracks that matter. Cover images, subtitles, data, and all but the primary track of each kind are ignored. */
export interface MediaTracks {
  readonly video: ProbedStream | null;
  readonly audio: ProbedStream | null;
}

/** Where FFmpeg's names differ from ours. */
const CODEC_NAMES: Readonly<Record<string, string>> = { h264: 'avc' };
/** Files that hold one image in one of these say that it is a video. */
const PICTURE_CODECS = new Set(['mjpeg', 'png', 'gif', 'bmp', 'webp', 'tiff']);
const PLAIN_AAC = new Set(['', 'LC', 'HE-AAC', 'HE-AACv2']);

/**
 * Throws `UnplayableMediaError` if a track cannot be decoded, rather than dropping it silently, and if the file or a track
 * exceeds the limits in `media-limits.ts`.
 */
export function primaryTracks({ streams, duration }: ProbedMedia, bytes: number): MediaTracks {
  requireWithinLimits({ tracks: streams.length }, bytes);
  const video = primaryStream(streams, 'video');
  const audio = primaryStream(streams, 'audio');
  for (const stream of [video, audio]) if (stream) requireDecodable(stream);
  requireWithinLimits({ picture: video && shownSize(video), audio }, bytes);
  requireWithinLimits({ duration }, bytes);
  return { video, audio };
}

/** The tracks in which the scan has found something to play. */
export function withContent({ video, audio }: MediaTracks, scan: MediaScan): MediaTracks {
  const packets = (stream: ProbedStream) => scan.tracks.get(stream.index)?.packets ?? 0;
  const isPicture = video && PICTURE_CODECS.has(video.codec ?? '') && packets(video) < 2;
  return {
    video: video && packets(video) > 0 && !isPicture ? video : null,
    audio: audio && packets(audio) > 0 ? audio : null,
  };
}

export function factsOf(file: SourceFile, { video, audio }: MediaTracks, scan: MediaScan): MediaFacts {
  const { container, fragmented, cut } = file;
  return {
    container,
    fragmented,
    cut,
    video: video && videoFacts(video, scan),
    audio: audio && audioFacts(audio, scan),
  };
}

export function isDecodable({ kind, codec, width, sampleRate }: ProbedStream): boolean {
  return codec !== null && (kind === 'video' ? width : sampleRate) > 0;
}

/** The track of this kind that players play. */
export function primaryStream(
  streams: readonly ProbedStream[],
  kind: 'video' | 'audio',
): ProbedStream | null {
  const candidates = streams.filter((stream) => stream.kind === kind && !stream.isPicture);
  return candidates.find(({ isDefault }) => isDefault) ?? candidates[0] ?? null;
}

function requireDecodable(stream: ProbedStream): void {
  if (isDecodable(stream)) return;
  throw new UnplayableMediaError(
    stream.codec === null
      ? `The ${stream.kind} codec is not supported. Upload an MP4 with H.264 and AAC instead.`
      : `The ${stream.kind} track is damaged.`,
  );
}

function videoFacts(stream: ProbedStream, scan: MediaScan): VideoFacts {
  const { codec, pixelFormat, matrix } = stream;
  const [a, b, c, d] = matrix;
  return {
    codec: nameOf(stream),
    plainPixels: /^yuvj?420p$/.test(pixelFormat) || (codec === 'av1' && pixelFormat === 'yuv420p10le'),
    ...shownSize(stream),
    transformed: a <= 0 || d <= 0 || b !== 0 || c !== 0,
    keyFrameGap: scan.tracks.get(stream.index)?.keyFrameGap ?? null,
    ...spanOf(stream, scan),
  };
}

function audioFacts(stream: ProbedStream, scan: MediaScan): AudioFacts {
  const { codec, profile, channels, sampleRate } = stream;
  return {
    codec: nameOf(stream),
    plainProfile: codec !== 'aac' || PLAIN_AAC.has(profile),
    channels,
    sampleRate,
    ...spanOf(stream, scan),
  };
}

function spanOf({ index }: ProbedStream, scan: MediaScan): { start: number; end: number } {
  const { start = 0, end = 0 } = scan.tracks.get(index) ?? {};
  return { start, end };
}

/** Upright, with square pixels; neither side is reduced. */
function shownSize({ width, height, pixelAspect, matrix }: ProbedStream): { width: number; height: number } {
  const wide = Math.round(width * Math.max(1, pixelAspect));
  const high = Math.round(height * Math.max(1, 1 / pixelAspect));
  return matrix[1] === 0 ? { width: wide, height: high } : { width: high, height: wide };
}

const nameOf = ({ codec }: ProbedStream): string => CODEC_NAMES[codec ?? ''] ?? codec ?? '';
