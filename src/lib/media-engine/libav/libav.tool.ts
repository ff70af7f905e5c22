import { setImmediate } from 'node:timers/promises';
import * as av from 'node-av/constants';
import { avGetCodecName, avGetPixFmtName, Codec, Log, Packet, type Stream } from 'node-av/lib';
import type {
  Conversion,
  MediaPart,
  MediaTool,
  ProbedMedia,
  ProbedStream,
  ScannedPacket,
  SoundCount,
} from '../engine/media-tool.js';
import { UnplayableMediaError } from '../media.errors.js';
import { Converter } from './converter.js';
import { LibavError, present } from './libav-error.js';
import { MediaInput, plain, secondsOf } from './media-files.js';

/** The thread that watches this process expects it to return to its event loop regularly. */
const PACKETS_AT_ONCE = 10_000;

const UPRIGHT = [1, 0, 0, 1] as const;

/** FFmpeg as a library (`node-av`), in this process, which media can crash: only for the packager's child process. */
export class LibavTool implements MediaTool {
  constructor(readonly folder: string) {
    Log.setLevel(av.AV_LOG_QUIET);
  }

  probe(part: MediaPart): Promise<ProbedMedia> {
    return within(part, ({ streams, format, start, duration, createdAt }) => {
      return { streams: streams.map(probedStream), format, start: start ?? 0, duration, createdAt };
    });
  }

  scan(
    part: MediaPart,
    streams: readonly number[],
    onPacket: (packet: ScannedPacket) => void,
  ): Promise<void> {
    return within(part, async (input) => {
      const packet = new Packet();
      packet.alloc();
      input.readOnly(new Set(streams));
      const timeBases = input.streams.map(({ timeBase }) => plain(timeBase));
      for (let count = 1; input.read(packet); count++) {
        const stream = packet.streamIndex;
        const timeBase = timeBases[stream];
        if (timeBase && streams.includes(stream))
          onPacket({
            stream,
            dts: secondsOf(packet.dts, timeBase),
            pts: secondsOf(packet.pts, timeBase),
            duration: secondsOf(packet.duration, timeBase) ?? 0,
            isKey: packet.isKeyframe,
          });
        packet.unref();
        if (count % PACKETS_AT_ONCE === 0) await setImmediate();
      }
      packet.free();
    });
  }

  async convert(conversion: Conversion): Promise<SoundCount | null> {
    const { inputs, together } = conversion;
    const groups = together ? [inputs] : inputs.map((input) => [input]);
    let converter: Converter | null = null;
    try {
      let count: SoundCount | null = null;
      for (const [place, parts] of groups.entries())
        count = await withinAll(parts, async (opened) => {
          converter ??= new Converter(present(opened[0], 'input'), this.folder, conversion);
          await converter.run(opened, place);
          return place === groups.length - 1 ? converter.finish() : null;
        });
      return count;
    } finally {
      (converter as Converter | null)?.[Symbol.dispose]();
    }
  }
}

/** All are open at the same time. */
function withinAll<T>(
  [part, ...others]: readonly MediaPart[],
  work: (inputs: readonly MediaInput[]) => Promise<T>,
): Promise<T> {
  if (!part) return work([]);
  return within(part, (input) => withinAll(others, (opened) => work([input, ...opened])));
}

async function within<T>(part: MediaPart, work: (input: MediaInput) => T | Promise<T>): Promise<T> {
  try {
    using input = MediaInput.open(part);
    return await work(input);
  } catch (error) {
    if (!(error instanceof LibavError) || error.mayPass) throw error;
    throw new UnplayableMediaError(`The file is damaged: FFmpeg cannot process it (${error.message}).`, {
      cause: error,
    });
  }
}

function probedStream(stream: Stream): ProbedStream {
  const { codecpar, metadata } = stream;
  const { codecType, width, height, channels, sampleRate } = codecpar;
  const isVideo = codecType === av.AVMEDIA_TYPE_VIDEO;
  const decoder = Codec.findDecoder(codecpar.codecId);
  const { num, den } = stream.sampleAspectRatio;
  return {
    index: stream.index,
    kind: isVideo ? 'video' : codecType === av.AVMEDIA_TYPE_AUDIO ? 'audio' : 'other',
    codec: decoder ? avGetCodecName(codecpar.codecId) : null,
    profile: decoder?.profiles?.find(({ profile }) => profile === Number(codecpar.profile))?.name ?? '',
    pixelFormat: isVideo ? (avGetPixFmtName(codecpar.format as av.AVPixelFormat) ?? '') : '',
    width,
    height,
    pixelAspect: num > 0 && den > 0 ? num / den : 1,
    matrix: isVideo ? matrixOf(stream) : UPRIGHT,
    channels,
    sampleRate,
    duration: secondsOf(stream.duration, stream.timeBase),
    isDefault: stream.hasDisposition(av.AV_DISPOSITION_DEFAULT),
    isPicture: stream.hasDisposition(av.AV_DISPOSITION_ATTACHED_PIC),
    title: metadata?.get('title') ?? null,
    language: metadata?.get('language') ?? null,
  };
}

/** Nine 32-bit numbers in native byte order; the third column is not for turning. */
function matrixOf({ codecpar }: Stream): ProbedStream['matrix'] {
  const data = codecpar.getCodedSideData(av.AV_PKT_DATA_DISPLAYMATRIX);
  if (!data || data.length < 36) return UPRIGHT;
  const at = (index: number) => data.readInt32LE(4 * index) / 0x10000;
  return [at(0), at(1), at(3), at(4)];
}
