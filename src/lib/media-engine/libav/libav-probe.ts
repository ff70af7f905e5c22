import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Codec, type CodecParameters, type Stream } from 'node-av/lib';
import type { ProbedMedia, ProbedStream } from '../engine/media-tool.js';
import { secondsOf, type MediaInput } from './media-input.js';

const UPRIGHT = [1, 0, 0, 1] as const;

export function probeInput(input: MediaInput): ProbedMedia {
  return {
    streams: input.streams.map(probedStream),
    format: input.format,
    start: input.start ?? 0,
    duration: input.duration,
    createdAt: input.createdAt,
  };
}

function probedStream(stream: Stream): ProbedStream {
  const { codecpar, metadata } = stream;
  const { codecType, width, height, channels, sampleRate } = codecpar;
  const isVideo = codecType === AVMEDIA_TYPE_VIDEO;
  const decoder = Codec.findDecoder(codecpar.codecId);
  const { num, den } = stream.sampleAspectRatio;
  return {
    index: stream.index,
    kind: isVideo ? 'video' : codecType === AVMEDIA_TYPE_AUDIO ? 'audio' : 'other',
    codec: decoder ? avGetCodecName(codecpar.codecId) : null,
    profile: decoder?.profiles?.find(({ profile }) => profile === Number(codecpar.profile))?.name ?? '',
    pixelFormat: isVideo ? (avGetPixFmtName(codecpar.format as AVPixelFormat) ?? '') : '',
    width,
    height,
    pixelAspect: num > 0 && den > 0 ? num / den : 1,
    matrix: isVideo ? matrixOf(codecpar) : UPRIGHT,
    channels,
    sampleRate,
    duration: secondsOf(stream.duration, stream.timeBase),
    isDefault: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
    isPicture: stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC),
    title: metadata?.get('title') ?? null,
    language: metadata?.get('language') ?? null,
  };
}

/** Nine 32-bit numbers in native byte order; the third column is not for turning. */
function matrixOf(codecpar: CodecParameters): ProbedStream['matrix'] {
  const data = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!data || data.length < 36) return UPRIGHT;
  const at = (index: number) => data.readInt32LE(4 * index) / 0x10000;
  return [at(0), at(1), at(3), at(4)];
}
