import { AUDIO_RATE } from '../audio/audio-format.js';
import { muteFilters } from '../audio/mute.js';
import {
  SEGMENT_SECONDS,
  type AudioPlan,
  type MediaFacts,
  type PackagingPlan,
  type VideoPlan,
} from '../packaging-plan.js';
import {
  encoderFormat,
  type CopiedTrack,
  type EncoderSettings,
  type FragmentedCopy,
  type OutputFile,
  type OutputTrack,
  type ProbedStream,
} from './media-tool.js';
import type { MediaTrack, MediaTracks } from './source-media.js';

const AUDIO_BITS_PER_CHANNEL = 64_000;
/** Seconds; a track that ends earlier than the other is padded. */
const UNNOTICED = 0.1;
/** Microseconds. A fragment may be a little shorter, because key frames are not always where they should be. */
const FRAGMENT = {
  least: String((SEGMENT_SECONDS - 0.5) * 1e6),
  exactly: String(SEGMENT_SECONDS * 1e6),
};
/** Tracks begin, and B-frames are shown, when they should be without an edit list, which fragments do not have. */
const FRAGMENTED = '+empty_moov+default_base_moof+negative_cts_offsets+frag_discont';

/** The single file, with its index first. */
export const singleFile = (
  tracks: MediaTracks,
  facts: MediaFacts,
  { video, audio }: PackagingPlan,
  name: string,
): OutputFile => ({
  name,
  format: 'mp4',
  options: { movflags: '+faststart' },
  tracks: [
    tracks.video && video && videoTrackOf(tracks.video, facts, video),
    tracks.audio && audio && audioTrackOf(tracks.audio, facts, audio),
  ].filter((track) => track !== null),
});

/**
 * The same packets in fragments of about six seconds, each of which begins with a key frame. The video's B-frames are
 * delayed: audio is written as much ahead, or a fragment would lack the end of its audio.
 */
export function fragments({ video, audio }: MediaTracks, name: string): OutputFile {
  const options: OutputFile['options'] = video
    ? { movflags: `${FRAGMENTED}+frag_keyframe`, min_frag_duration: FRAGMENT.least }
    : { movflags: FRAGMENTED, frag_duration: FRAGMENT.exactly };
  const tracks = [
    ...(video ? [copied(video, { visible: false, ahead: 0 })] : []),
    ...(audio ? [copied(audio, { visible: true, ahead: video?.scan.delay ?? 0 })] : []),
  ];
  return { name, format: 'mp4', options, tracks };
}

/** One frame of the video of a file that was not joined. */
export function picture(name: string, video: MediaTrack, width: number, height: number): OutputFile {
  const filters = `scale=${width}:${height},setsar=1,format=rgba`;
  const track = encoded(video, filters, { codec: 'rawvideo', width, height });
  return { name, format: 'rawvideo', options: {}, tracks: [track] };
}

/** One channel of audio as samples. `mix` is a chain of filters that makes it from what the track has. */
export function samples(name: string, audio: MediaTrack, mix = 'anull'): OutputFile {
  const encoder = { codec: 'pcm_s16le', channels: 1, sampleRate: AUDIO_RATE } as const;
  const track = encoded(audio, `aresample=${AUDIO_RATE},${mix},${encoderFormat(encoder)}`, encoder);
  return { name, format: 's16le', options: {}, tracks: [track] };
}

function videoTrackOf(track: MediaTrack, facts: MediaFacts, plan: VideoPlan): OutputTrack {
  if (plan.copy) return copied(track);
  const { width, height } = plan;
  // Sizes differ between joined files: what has another shape gets bars.
  const scale = facts.joined
    ? `scale=${width}:${height}:force_original_aspect_ratio=decrease,setsar=1,pad=${width}:${height}:-1:-1`
    : `scale=${width}:${height},setsar=1`;
  const encoder = { codec: 'libx264', width, height } as const;
  return encoded(track, `${scale},format=yuv420p`, encoder, facts.audio?.end);
}

function audioTrackOf(track: MediaTrack, facts: MediaFacts, plan: AudioPlan): OutputTrack {
  if (plan.copy) return copied(track);
  const { channels, sampleRate } = plan;
  const encoder = { codec: 'aac', channels, sampleRate, bitRate: AUDIO_BITS_PER_CHANNEL * channels } as const;
  const muting = facts.mute.length > 0 ? `${muteFilters(facts.mute, sampleRate)},` : '';
  const filters = `aresample=${sampleRate},${muting}${encoderFormat(encoder)}`;
  return encoded(track, filters, encoder, facts.video?.end);
}

const copied = ({ first }: MediaTrack, fragmented?: FragmentedCopy): CopiedTrack => ({
  stream: first.index,
  copy: true,
  fragments: fragmented,
});

/** A track that ends noticeably before the other, in seconds, is padded. */
function encoded(
  { streams, scan: { start, end } }: MediaTrack,
  filters: string,
  encoder: EncoderSettings,
  otherEnd = 0,
): OutputTrack {
  const sources = streams.map((mixed) =>
    mixed.map((stream) => ({ stream: stream.index, upright: upright(stream) })),
  );
  const until = otherEnd - end > UNNOTICED ? otherEnd : end;
  return { copy: false, sources, filters, span: { start, end, until }, encoder };
}

/** Filters that turn and mirror a picture as its container says. */
function upright({ kind, matrix: [a, b, c, d] }: ProbedStream): string {
  if (kind !== 'video') return '';
  if (b === 0 && c === 0) return [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])].join(',');
  const turn = c < 0 ? (b > 0 ? 'clock' : 'clock_flip') : b > 0 ? 'cclock_flip' : 'cclock';
  return `transpose=${turn}`;
}
