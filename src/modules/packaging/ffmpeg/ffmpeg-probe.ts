import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { FfmpegError, runFfmpeg } from './ffmpeg-process.js';
import type { AudioFacts, MediaFacts, VideoFacts } from '../media-facts.js';
import { isWithinLimits, requireWithinLimits, type MediaSize } from '../media-limits.js';
import type { PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import type { SourceFile } from '../source-file.js';

/**
 * What FFmpeg may open: this one file, and only as media. A playlist or a list of parts (hls, concat, ...) could name any
 * file on this machine, or any URL.
 */
const DEMUXERS = 'mov,matroska,ogg,wav,w64,aiff,caf,flac,mp3,aac,ac3,amr,mpegts,mpeg,avi,flv,asf';
export const SAFE_INPUT = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS] as const;

const CODEC_NAMES: Record<string, string> = { h264: 'avc' };
const seconds = z.coerce.number().optional().catch(undefined);

const STREAM = z.object({
  index: z.int(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  profile: z.string().optional(),
  pix_fmt: z.string().optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  sample_aspect_ratio: z.string().optional(),
  channels: z.int().optional(),
  sample_rate: z.coerce.number().optional(),
  start_time: seconds,
  duration: seconds,
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.object({ title: z.string().optional(), language: z.string().optional() }).default({}),
  side_data_list: z.array(z.object({ rotation: z.number().optional() }).loose()).default([]),
});
type Stream = z.infer<typeof STREAM>;

const PROBE = z.object({
  streams: z.array(STREAM).default([]),
  format: z.object({ duration: seconds, start_time: seconds }).default({}),
});

export interface Probe {
  readonly facts: MediaFacts;
  /** Indexes of the primary streams, for `-map`. */
  readonly video: number | null;
  readonly audio: number | null;
  /** All audio streams, in order. */
  readonly audioTracks: readonly ProbedAudio[];
  /** Of the file; its duration is null when the header does not say. */
  readonly size: MediaSize;
}

export interface ProbedAudio {
  readonly index: number;
  readonly primary: boolean;
  /** Readable, and within the limits. */
  readonly usable: boolean;
  readonly channels: number;
  readonly title: string | null;
  readonly language: string | null;
}

/**
 * Asks ffprobe for the primary tracks. Throws `UnplayableMediaError` when it cannot read them, or when they exceed the
 * limits in `media-limits.ts`.
 */
export async function probe(
  program: string,
  { source, folder }: PackageRequest,
  file: SourceFile,
  signal: AbortSignal,
): Promise<Probe> {
  const { size: bytes } = await stat(source);
  const pieces: Buffer[] = [];
  const show = [...SAFE_INPUT, '-show_streams', '-show_format', '-of', 'json'];
  const args = (path: string) => ['-v', 'error', ...show, path];
  try {
    const size = { bytes, duration: null };
    const onOutput = (piece: Buffer) => void pieces.push(piece);
    await runFfmpeg({ program, source, folder, args, signal, size, work: 'read', onOutput });
  } catch (error) {
    if (!(error instanceof FfmpegError) || !error.reason.includes('status')) throw error;
    throw new UnplayableMediaError('The file is damaged: its structure cannot be read.', { cause: error });
  }
  const { streams, format } = PROBE.parse(JSON.parse(Buffer.concat(pieces).toString('utf8')));
  const video = primary(streams, 'video');
  const audio = primary(streams, 'audio');
  for (const stream of [video, audio]) if (stream && !isReadable(stream)) throw undecodable(stream);
  const origin = Math.max(0, format.start_time ?? 0);
  const facts = {
    container: file.container,
    fragmented: file.fragmented,
    cut: file.cut,
    video: video && videoFacts(video, origin),
    audio: audio && audioFacts(audio, origin),
  };
  const ends = [format.duration, facts.video?.end, facts.audio?.end].filter((end) => typeof end === 'number');
  const duration = ends.length > 0 ? Math.max(...ends) : null;
  requireWithinLimits({ tracks: streams.length, picture: facts.video, audio: facts.audio }, bytes);
  requireWithinLimits({ duration }, bytes);
  return {
    facts,
    video: video?.index ?? null,
    audio: audio?.index ?? null,
    audioTracks: streams
      .filter(({ codec_type }) => codec_type === 'audio')
      .map((stream) => probedAudio(stream, stream === audio, bytes)),
    size: { bytes, duration: format.duration ?? null },
  };
}

/** Longest interval between two key frames of the video, in seconds. */
export async function keyFrameGap(
  program: string,
  { source, folder }: PackageRequest,
  { video, size }: Pick<Probe, 'video' | 'size'>,
  signal: AbortSignal,
): Promise<number> {
  const show = ['-select_streams', String(video), '-show_entries', 'packet=pts_time,flags'];
  const args = (path: string) => ['-v', 'error', ...SAFE_INPUT, ...show, '-of', 'csv=p=0', path];
  let rest = '';
  let key: number | null = null;
  let gap = 0;
  const onOutput = (piece: Buffer) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [time = '', flags = ''] = line.split(',');
      const at = Number.parseFloat(time);
      if (Number.isNaN(at)) continue;
      gap = Math.max(gap, at - (key ?? at));
      if (flags.startsWith('K')) key = at;
    }
  };
  await runFfmpeg({ program, source, folder, args, signal, size, work: 'read', onOutput });
  return gap;
}

function primary(streams: Stream[], type: string): Stream | null {
  const candidates = streams.filter(
    ({ codec_type, disposition }) => codec_type === type && disposition['attached_pic'] !== 1,
  );
  return candidates.find(({ disposition }) => disposition['default'] === 1) ?? candidates[0] ?? null;
}

function isReadable({ codec_type, codec_name, width, sample_rate }: Stream): boolean {
  return codec_name !== undefined && ((codec_type === 'video' ? width : sample_rate) ?? 0) > 0;
}

function probedAudio(stream: Stream, isPrimary: boolean, bytes: number): ProbedAudio {
  const { index, channels = 0, sample_rate = 0, tags } = stream;
  const usable =
    isReadable(stream) && isWithinLimits({ audio: { channels, sampleRate: sample_rate } }, bytes);
  return {
    index,
    primary: isPrimary,
    usable,
    channels,
    title: tags.title ?? null,
    language: tags.language ?? null,
  };
}

function undecodable({ codec_type, codec_name }: Stream): UnplayableMediaError {
  const kind = codec_type === 'video' ? 'video' : 'audio';
  return new UnplayableMediaError(
    codec_name
      ? `The ${kind} track is damaged.`
      : `The ${kind} codec is not supported. Upload an MP4 with H.264 and AAC instead.`,
  );
}

function videoFacts(stream: Stream, origin: number): VideoFacts {
  const { codec_name = '', pix_fmt = '', width = 0, height = 0, side_data_list } = stream;
  const turn = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
  const [wide = 1, high = 1] = (stream.sample_aspect_ratio ?? '1:1').split(':').map(Number);
  const ratio = wide > 0 && high > 0 ? wide / high : 1;
  // As in mediabunny: neither side is reduced.
  const shown = { width: width * Math.max(1, ratio), height: height * Math.max(1, 1 / ratio) };
  const upright = Math.abs(turn) % 180 === 90 ? { width: shown.height, height: shown.width } : shown;
  return {
    codec: CODEC_NAMES[codec_name] ?? codec_name,
    plainPixels: /^yuvj?420p$/.test(pix_fmt) || (codec_name === 'av1' && pix_fmt === 'yuv420p10le'),
    width: Math.round(upright.width),
    height: Math.round(upright.height),
    transformed: turn % 360 !== 0,
    keyFrameGap: null,
    ...span(stream, origin),
  };
}

function audioFacts(stream: Stream, origin: number): AudioFacts {
  const { codec_name = '', profile, channels = 2, sample_rate = 48_000 } = stream;
  return {
    codec: codec_name,
    plainProfile: codec_name !== 'aac' || ['LC', 'HE-AAC', 'HE-AACv2'].includes(profile ?? 'LC'),
    channels,
    sampleRate: sample_rate,
    ...span(stream, origin),
  };
}

/** FFmpeg shifts the start of the file to 0 on its own, and omits what an edit list hides. */
function span({ start_time = 0, duration }: Stream, origin: number): { start: number; end: number | null } {
  const start = Math.max(0, start_time - origin);
  return { start, end: duration === undefined ? null : start + duration };
}
