import type { MutedRange } from './audio/mute.js';
import { UnplayableMediaError } from './media.errors.js';

/** What was found out about a file. Times are seconds from its start, rates hertz. */
export interface MediaFacts {
  /** `matroska` includes WebM, `transport` is MPEG-TS; no track is copied from `other` containers. */
  readonly container: 'mp4' | 'mov' | 'matroska' | 'transport' | 'other';
  /** A fragmented MP4: browsers play it, but not all of them can seek in it. */
  readonly fragmented: boolean;
  /** The end of the file is missing. */
  readonly cut: boolean;
  /** It consists of several files joined end to end. */
  readonly joined: boolean;
  /** Where nothing is to be heard; the audio is then encoded. */
  readonly mute: readonly MutedRange[];
  readonly video: VideoFacts | null;
  readonly audio: AudioFacts | null;
}

export interface TrackSpan {
  /** First presentation time; negative when an edit list hides the beginning. */
  readonly start: number;
  readonly end: number;
}

export interface VideoFacts extends TrackSpan {
  /** FFmpeg's name: `h264`, `hevc`, `vp8`, `vp9`, `av1`, or another. */
  readonly codec: string;
  /** Browsers decode the pixel format and profile: 8 bits, 4:2:0 (or AV1 main profile). */
  readonly plainPixels: boolean;
  /** Pixels as displayed: upright and square. */
  readonly width: number;
  readonly height: number;
  /** Rotated or mirrored by the container. */
  readonly transformed: boolean;
  /** Longest interval between two key frames. */
  readonly keyFrameGap: number;
}

export interface AudioFacts extends TrackSpan {
  /** FFmpeg's name: `aac`, `opus`, `mp3`, `vorbis`, or another. */
  readonly codec: string;
  /** Browsers decode the profile: AAC-LC, HE-AAC or HE-AAC v2. */
  readonly plainProfile: boolean;
  /** `one` is what players choose by themselves, `other` another track, `mix` several. */
  readonly tracks: 'one' | 'other' | 'mix';
  readonly channels: number;
  readonly sampleRate: number;
}

interface Copy {
  readonly copy: true;
}

/** Pixels of what is encoded. */
export type VideoPlan = Copy | { readonly copy: false; readonly width: number; readonly height: number };

/** Channels of what is encoded, and its sample rate in hertz. */
export type AudioPlan =
  Copy | { readonly copy: false; readonly channels: 1 | 2; readonly sampleRate: 44_100 | 48_000 };

export interface PackagingPlan {
  readonly video: VideoPlan | null;
  readonly audio: AudioPlan | null;
  /** The single file to create; null when the source itself plays everywhere. */
  readonly file: { readonly path: string; readonly type: 'video/mp4' | 'audio/mp4' } | null;
}

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

/** Codecs that browsers play. Matroska other than WebM and QuickTime play in some browsers only. */
const PLAYABLE: readonly {
  readonly type: RegExp;
  readonly video: readonly string[];
  readonly audio: RegExp;
}[] = [
  { type: /\/webm$/, video: ['vp8', 'vp9', 'av1'], audio: /^(opus|vorbis)$/ },
  { type: /\/mp4$/, video: ['h264', 'vp9', 'av1'], audio: /^(aac|opus|mp3)$/ },
  { type: /^audio\/mpeg$/, video: [], audio: /^mp3$/ },
  { type: /^audio\/wav$/, video: [], audio: /^pcm_(u8|s16|s24|s32|f32)(le)?$/ },
  { type: /^audio\/(x-)?flac$/, video: [], audio: /^flac$/ },
  { type: /^(audio|application)\/ogg$/, video: [], audio: /^(opus|vorbis)$/ },
];

/** Whether a track has to be encoded, which takes long; copying takes seconds. */
export const encodes = ({ video, audio }: PackagingPlan): boolean =>
  video?.copy === false || audio?.copy === false;

/** Decides what is copied and what is encoded. Throws `UnplayableMediaError` for a file with neither audio nor video. */
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
    isCopyable(video.codec, 'h264', ['vp9', 'av1'], facts) &&
    video.plainPixels &&
    !video.transformed &&
    video.keyFrameGap <= MAX_KEY_FRAME_GAP &&
    spansAll(video, audio);
  return copy ? { copy } : { copy, ...fitted(video.width, video.height) };
}

function planAudio(audio: AudioFacts, video: VideoFacts | null, facts: MediaFacts): AudioPlan {
  const copy =
    facts.mute.length === 0 &&
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

/** Whether to play the source meanwhile: browsers play these very bytes, and something has to be encoded, slowly. */
export function isPlayableSource(sourceType: string, facts: MediaFacts, planned: PackagingPlan): boolean {
  const { video, audio, cut, joined } = facts;
  const known = PLAYABLE.find(({ type }) => type.test(sourceType));
  if (!encodes(planned) || cut || joined || !known) return false;
  // H.264 with 10 bits or 4:4:4 plays in few browsers; VP9 and AV1 are decoded in software.
  const showsVideo =
    video === null || (known.video.includes(video.codec) && (video.codec !== 'h264' || video.plainPixels));
  const playsAudio =
    audio === null || (known.audio.test(audio.codec) && audio.plainProfile && audio.tracks === 'one');
  return showsVideo && playsAudio;
}
