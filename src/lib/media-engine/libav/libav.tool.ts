import { setImmediate } from 'node:timers/promises';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log, Packet } from 'node-av/lib';
import type {
  Conversion,
  MediaPart,
  MediaTool,
  ProbedMedia,
  ScannedPacket,
  SoundCount,
} from '../engine/media-tool.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { Converter } from './converter.js';
import { LibavError } from './libav-error.js';
import { probeInput } from './libav-probe.js';
import { MediaInput, plain, secondsOf } from './media-input.js';

/** The thread that watches this process expects it to return to its event loop regularly. */
const PACKETS_AT_ONCE = 10_000;

/**
 * FFmpeg as a library (`node-av`), in this process, which media can crash: only for the packager's child process.
 * Nothing has to be installed.
 */
export class LibavTool implements MediaTool {
  constructor(readonly folder: string) {
    Log.setLevel(AV_LOG_QUIET);
  }

  probe(part: MediaPart): Promise<ProbedMedia> {
    return within(part, (input) => probeInput(input));
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
        if (timeBase && streams.includes(stream)) {
          onPacket({
            stream,
            dts: secondsOf(packet.dts, timeBase),
            pts: secondsOf(packet.pts, timeBase),
            duration: secondsOf(packet.duration, timeBase) ?? 0,
            isKey: packet.isKeyframe,
          });
        }
        packet.unref();
        if (count % PACKETS_AT_ONCE === 0) await setImmediate();
      }
      packet.free();
    });
  }

  async convert(conversion: Conversion): Promise<SoundCount | null> {
    let converter: Converter | null = null;
    try {
      let count: SoundCount | null = null;
      for (const [place, part] of conversion.inputs.entries()) {
        count = await within(part, async (input) => {
          converter ??= new Converter(input, this.folder, conversion);
          await converter.run(input, place);
          return place === conversion.inputs.length - 1 ? converter.finish() : null;
        });
      }
      return count;
    } finally {
      (converter as Converter | null)?.[Symbol.dispose]();
    }
  }
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
