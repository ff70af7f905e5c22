import type { MediaFacts } from '../media-facts.js';
import type { AudioEncoding, PackagingPlan, VideoEncoding } from '../packaging-plan.js';
import { SEGMENT_SECONDS } from '../packaging-plan.js';
import type { MediaTracks } from './media-tracks.js';
import type { OutputFile, OutputTrack, ProbedStream } from './media-tool.js';

/** The audio and video of the segments, one fragment each. */
export const HLS_FILE = 'media.mp4';
/** Pictures and waveforms are made from these, which are then removed. */
export const PICTURE_FILE = 'picture.rgba';
export const SOUND_FILE = 'sound.s16le';

const AUDIO_BITS_PER_CHANNEL = 64_000;
/** Seconds; a track that starts later or ends earlier than the other is padded. */
const UNNOTICED = 0.1;
const AAC_FRAME = 1024;
/** Microseconds. A fragment may be a little shorter, because key frames are not always where they should be. */
const FRAGMENT = {
  least: String((SEGMENT_SECONDS - 0.5) * 1e6),
  exactly: String(SEGMENT_SECONDS * 1e6),
};
/** B-frames are shown when they should be without an edit list, which players of fragments do not apply. */
const FRAGMENTED = '+empty_moov+default_base_moof+negative_cts_offsets';

/** The single file, with its index first. */
export function singleFile(
  tracks: MediaTracks,
  facts: MediaFacts,
  { video, audio }: PackagingPlan,
  name: string,
): OutputFile {
  const videoTrack = tracks.video && video && trackOf(tracks.video, video, facts, videoTrackOf);
  const audioTrack = tracks.audio && audio && trackOf(tracks.audio, audio, facts, audioTrackOf);
  return {
    name,
    format: 'mp4',
    options: { movflags: '+faststart' },
    tracks: [videoTrack, audioTrack].filter((track) => track !== null),
  };
}

/**
 * The same packets in fragments of about six seconds, each of which begins with a key frame. `delay` is that of the video's
 * B-frames: audio is written as much ahead, or a fragment would lack the end of its audio.
 */
export function fragments({ video, audio }: MediaTracks, delay: number): OutputFile {
  const options: OutputFile['options'] = video
    ? { movflags: `${FRAGMENTED}+frag_keyframe`, min_frag_duration: FRAGMENT.least }
    : { movflags: FRAGMENTED, frag_duration: FRAGMENT.exactly };
  const sound = { visible: true, ahead: video ? delay : 0 };
  const streams = [video, audio].filter((stream) => stream !== null);
  return {
    name: HLS_FILE,
    format: 'mp4',
    options,
    tracks: streams.map((stream) => ({
      stream: stream.index,
      copy: true,
      fragments: stream === video ? { visible: false, ahead: 0 } : sound,
    })),
  };
}

/** One frame of the video. */
export function picture(stream: ProbedStream, width: number, height: number): OutputFile {
  const filters = [`scale=${width}:${height}`, 'setsar=1', 'format=rgba'].join(',');
  const encoder = { codec: 'rawvideo', width, height } as const;
  return rawFile(PICTURE_FILE, 'rawvideo', {
    stream: stream.index,
    copy: false,
    upright: upright(stream),
    filters,
    encoder,
  });
}

/** One channel of audio as samples. `mix` is a chain of filters that makes it from what the track has. */
export function samples(
  name: string,
  { index }: ProbedStream,
  { sampleRate, mix, late }: { readonly sampleRate: number; readonly mix: string; readonly late: boolean },
): OutputFile {
  const filters = `aresample=${sampleRate}:${timing(late)},${mix},aformat=sample_fmts=s16:channel_layouts=mono`;
  const encoder = { codec: 'pcm_s16le', channels: 1, sampleRate } as const;
  return rawFile(name, 's16le', { stream: index, copy: false, upright: '', filters, encoder });
}

function trackOf<Encoding extends { readonly copy: false }>(
  stream: ProbedStream,
  plan: { readonly copy: true } | Encoding,
  facts: MediaFacts,
  encode: (stream: ProbedStream, facts: MediaFacts, plan: Encoding) => OutputTrack,
): OutputTrack {
  return plan.copy ? { stream: stream.index, copy: true } : encode(stream, facts, plan);
}

function videoTrackOf(stream: ProbedStream, facts: MediaFacts, to: VideoEncoding): OutputTrack {
  const { width, height } = to;
  const filters = [`scale=${width}:${height}`, 'setsar=1', 'format=yuv420p', ...videoPadding(facts)];
  const encoder = { codec: 'libx264', width, height } as const;
  return { stream: stream.index, copy: false, upright: upright(stream), filters: filters.join(','), encoder };
}

function audioTrackOf(stream: ProbedStream, facts: MediaFacts, to: AudioEncoding): OutputTrack {
  const { channels, sampleRate } = to;
  const { audio, video } = facts;
  const early = video && audio ? (video.end ?? 0) - (audio.end ?? 0) : 0;
  const filters = [
    `aresample=${sampleRate}:${timing((audio?.start ?? 0) > UNNOTICED)}`,
    `aformat=sample_fmts=fltp:channel_layouts=${channels === 1 ? 'mono' : 'stereo'}`,
    ...(early > UNNOTICED ? [`apad=pad_dur=${early.toFixed(3)}`] : []),
    `asetnsamples=n=${AAC_FRAME}:p=0`,
  ];
  const encoder = { codec: 'aac', channels, sampleRate, bitRate: AUDIO_BITS_PER_CHANNEL * channels } as const;
  return { stream: stream.index, copy: false, upright: '', filters: filters.join(','), encoder };
}

/**
 * Gaps become silence and, if the track starts late, its beginning too. Only then, because the filter would insert it again
 * where the audio changes its format.
 */
const timing = (late: boolean): string => `async=1${late ? ':first_pts=0' : ''}`;

/** Extends the first frame back to the beginning and the last one to the end of the audio. */
function videoPadding({ video, audio }: MediaFacts): string[] {
  const late = video?.start ?? 0;
  const early = Math.max(0, (audio?.end ?? 0) - (video?.end ?? Infinity));
  if (late <= UNNOTICED && early <= UNNOTICED) return [];
  const start = `start_mode=clone:start_duration=${Math.max(0, late).toFixed(3)}`;
  return ['setpts=PTS-STARTPTS', `tpad=${start}:stop_mode=clone:stop_duration=${early.toFixed(3)}`];
}

/** Filters that turn and mirror a picture as its container says. */
function upright({ matrix: [a, b, c, d] }: ProbedStream): string {
  if (b === 0 && c === 0) return [...(a < 0 ? ['hflip'] : []), ...(d < 0 ? ['vflip'] : [])].join(',');
  const turn = c < 0 ? (b > 0 ? 'clock' : 'clock_flip') : b > 0 ? 'cclock_flip' : 'cclock';
  return `transpose=${turn}`;
}

function rawFile(name: string, format: OutputFile['format'], track: OutputTrack): OutputFile {
  return { name, format, options: {}, tracks: [track] };
}
