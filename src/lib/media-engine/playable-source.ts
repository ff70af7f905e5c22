import type { MediaFacts } from './media-facts.js';
import { encodes, type PackagingPlan } from './packaging-plan.js';

/** Codecs that browsers play in a container. */
interface PlayableCodecs {
  /** Media type of the source; with video or without. */
  readonly type: RegExp;
  readonly video: readonly string[];
  readonly audio: RegExp;
}

/** Codec names as in `MediaFacts`. Matroska other than WebM and QuickTime play in some browsers only. */
const PLAYABLE: readonly PlayableCodecs[] = [
  { type: /\/webm$/, video: ['vp8', 'vp9', 'av1'], audio: /^(opus|vorbis)$/ },
  { type: /\/mp4$/, video: ['avc', 'vp9', 'av1'], audio: /^(aac|opus|mp3)$/ },
  { type: /^audio\/mpeg$/, video: [], audio: /^mp3$/ },
  { type: /^audio\/wav$/, video: [], audio: /^pcm[-_](u8|s16|s24|s32|f32)(le)?$/ },
  { type: /^audio\/(x-)?flac$/, video: [], audio: /^flac$/ },
  { type: /^(audio|application)\/ogg$/, video: [], audio: /^(opus|vorbis)$/ },
];

/**
 * Whether the source should be played while it is converted: browsers play these very bytes, and something has to be
 * encoded, which takes long. Copying does not. Pure.
 */
export function isPlayableSource(sourceType: string, facts: MediaFacts, planned: PackagingPlan): boolean {
  const { video, audio, cut, joined } = facts;
  const known = PLAYABLE.find(({ type }) => type.test(sourceType));
  if (!encodes(planned) || cut || joined || !known) return false;
  // H.264 with 10 bits or 4:4:4 plays in few browsers; VP9 and AV1 are decoded in software.
  const showsVideo =
    video === null || (known.video.includes(video.codec) && (video.codec !== 'avc' || video.plainPixels));
  const playsAudio =
    audio === null || (known.audio.test(audio.codec) && audio.plainProfile && audio.tracks === 'one');
  return showsVideo && playsAudio;
}
