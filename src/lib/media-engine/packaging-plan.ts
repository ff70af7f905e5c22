import type { AudioFacts, MediaFacts, TrackSpan, VideoFacts } from './media-facts.js';
import { UnplayableMediaError } from './unplayable-media.error.js';

/** Target length of an HLS segment in seconds; encoded video has three key frames in each. */
export const SEGMENT_SECONDS = 6;
export const KEY_FRAME_SECONDS = 2;

/** Larger video is scaled down if it has to be encoded anyway. */
const MAX_LONG_SIDE = 1920;
const MAX_SHORT_SIDE = 1080;

/** A longer interval makes seeking slow and segments too large to hold in memory. */
const MAX_KEY_FRAME_GAP = 20;
/** Players stall on a track that starts later or ends earlier than the other, so it has to be padded. */
const MAX_LATE_START = 0.5;
const MAX_EARLY_END = 1;
/** An edit list may hide this many seconds of the beginning; a copy would show them. */
const MAX_HIDDEN_START = 0.5;

/** Pixels. */
export interface VideoEncoding {
  readonly copy: false;
  readonly width: number;
  readonly height: number;
}

export interface AudioEncoding {
  readonly copy: false;
  readonly channels: 1 | 2;
  /** Hertz. */
  readonly sampleRate: 44_100 | 48_000;
}

export type VideoPlan = { readonly copy: true } | VideoEncoding;
export type AudioPlan = { readonly copy: true } | AudioEncoding;

export interface PackagingPlan {
  readonly video: VideoPlan | null;
  readonly audio: AudioPlan | null;
  /** The single file to create; null when the source itself plays everywhere. */
  readonly file: { readonly path: string; readonly type: 'video/mp4' | 'audio/mp4' } | null;
}

/** Whether a track has to be encoded, which takes long; copying takes seconds. */
export const encodes = ({ video, audio }: PackagingPlan): boolean =>
  video?.copy === false || audio?.copy === false;

/**
 * Decides what is copied and what is encoded. Pure.
 * Throws `UnplayableMediaError` for a file with neither audio nor video.
 */
export function plan(facts: MediaFacts): PackagingPlan {
  const { video, audio } = facts;
  if (!video && !audio) throw new UnplayableMediaError('The file has neither an audio nor a video track.');
  const videoPlan = video && planVideo(video, audio, facts);
  const audioPlan = audio && planAudio(audio, video, facts);
  const copiesAll = (videoPlan?.copy ?? true) && (audioPlan?.copy ?? true);
  const isWhole = !facts.fragmented && !facts.cut && (audio?.tracks ?? 'one') === 'one';
  const playsEverywhere = copiesAll && facts.container === 'mp4' && isWhole;
  const file = video
    ? ({ path: 'video.mp4', type: 'video/mp4' } as const)
    : ({ path: 'audio.m4a', type: 'audio/mp4' } as const);
  return { video: videoPlan, audio: audioPlan, file: playsEverywhere ? null : file };
}

function planVideo(video: VideoFacts, audio: AudioFacts | null, facts: MediaFacts): VideoPlan {
  const copy =
    isCopyable(video.codec, 'avc', ['vp9', 'av1'], facts) &&
    video.plainPixels &&
    !video.transformed &&
    video.keyFrameGap <= MAX_KEY_FRAME_GAP &&
    spansAll(video, audio);
  return copy ? { copy } : { copy, ...fitted(video.width, video.height) };
}

function planAudio(audio: AudioFacts, video: VideoFacts | null, facts: MediaFacts): AudioPlan {
  const copy =
    isCopyable(audio.codec, 'aac', ['opus'], facts) &&
    audio.plainProfile &&
    audio.tracks !== 'mix' &&
    spansAll(audio, video);
  if (copy) return { copy };
  return {
    copy,
    channels: audio.channels === 1 ? 1 : 2,
    sampleRate: audio.sampleRate === 44_100 ? 44_100 : 48_000,
  };
}

/** The main codec is copied from any container, others only from an MP4, where their configuration is known to fit. */
function isCopyable(codec: string, main: string, others: string[], facts: MediaFacts): boolean {
  // Joined files may differ in everything.
  if (facts.joined) return false;
  if (codec === main) return facts.container !== 'other';
  return facts.container === 'mp4' && others.includes(codec);
}

function spansAll(track: TrackSpan, other: TrackSpan | null): boolean {
  if (track.start < -MAX_HIDDEN_START) return false;
  if (!other) return true;
  if (track.start - Math.max(0, other.start) > MAX_LATE_START) return false;
  return other.end - track.end <= MAX_EARLY_END;
}

/** Even sides, at most 1920 × 1080 (or 1080 × 1920), never enlarged; keeps the aspect ratio. */
function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(
    1,
    MAX_LONG_SIDE / Math.max(width, height),
    MAX_SHORT_SIDE / Math.min(width, height),
  );
  return { width: even(width * scale), height: even(height * scale) };
}

const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));
