import { z } from '../../zod.js';
import type { ProbedMedia, ProbedStream, ScannedPacket } from '../engine/media-tool.js';

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
  duration: seconds,
  disposition: z.record(z.string(), z.number()).default({}),
  tags: z.object({ title: z.string().optional(), language: z.string().optional() }).default({}),
  side_data_list: z.array(z.object({ displaymatrix: z.string().optional() }).loose()).default([]),
});
type Stream = z.infer<typeof STREAM>;

const PROBE = z.object({
  streams: z.array(STREAM).default([]),
  format: z
    .object({
      format_name: z.string().default(''),
      duration: seconds,
      start_time: seconds,
      tags: z.object({ creation_time: z.string().optional() }).default({}),
    })
    .default({ format_name: '', tags: {} }),
});

/** What ffprobe has printed with `headerArguments`. */
export function parseHeader(json: string): ProbedMedia {
  const { streams, format } = PROBE.parse(JSON.parse(json));
  return {
    streams: streams.map(probedStream),
    format: format.format_name,
    start: format.start_time ?? 0,
    duration: format.duration ?? null,
    createdAt: format.tags.creation_time ?? null,
  };
}

/** A line of what ffprobe prints with `packetArguments`; null if it is not a packet. */
export function parsePacket(line: string): ScannedPacket | null {
  const [stream, pts, dts, duration, flags = ''] = line.split(',');
  const index = Number.parseInt(stream ?? '', 10);
  if (Number.isNaN(index)) return null;
  return {
    stream: index,
    pts: numberOrNull(pts),
    dts: numberOrNull(dts),
    duration: numberOrNull(duration) ?? 0,
    isKey: flags.startsWith('K'),
  };
}

function probedStream(stream: Stream): ProbedStream {
  const { codec_type, codec_name, disposition, tags } = stream;
  const [wide = 1, high = 1] = (stream.sample_aspect_ratio ?? '1:1').split(':').map(Number);
  return {
    index: stream.index,
    kind: codec_type === 'video' || codec_type === 'audio' ? codec_type : 'other',
    codec: codec_name === undefined || codec_name === 'unknown' ? null : codec_name,
    profile: stream.profile === 'unknown' ? '' : (stream.profile ?? ''),
    pixelFormat: stream.pix_fmt ?? '',
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    pixelAspect: wide > 0 && high > 0 ? wide / high : 1,
    matrix: matrixOf(stream),
    channels: stream.channels ?? 0,
    sampleRate: stream.sample_rate ?? 0,
    duration: stream.duration ?? null,
    isDefault: disposition['default'] === 1,
    isPicture: disposition['attached_pic'] === 1,
    title: tags.title ?? null,
    language: tags.language ?? null,
  };
}

/** Three lines of a number, a colon, and three numbers in sixteenths of bits. */
function matrixOf({ side_data_list }: Stream): ProbedStream['matrix'] {
  const text = side_data_list.find(({ displaymatrix }) => displaymatrix !== undefined)?.displaymatrix ?? '';
  const rows = [...text.matchAll(/:\s*(-?\d+)\s+(-?\d+)/g)];
  const [first, second] = rows.map(([, left, right]) => [Number(left) / 0x10000, Number(right) / 0x10000]);
  return first && second ? [first[0] ?? 1, first[1] ?? 0, second[0] ?? 0, second[1] ?? 1] : [1, 0, 0, 1];
}

function numberOrNull(text: string | undefined): number | null {
  const value = Number.parseFloat(text ?? '');
  return Number.isNaN(value) ? null : value;
}
