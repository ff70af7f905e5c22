import { setImmediate } from 'node:timers/promises';
import { AV_LOG_QUIET } from 'node-av/constants';
import { Log, Packet } from 'node-av/lib';
import { oggLinks, type ByteRange } from '../containers/ogg-links.js';
import type { Conversion, MediaTool, ProbedMedia, ScannedPacket } from '../engine/media-tool.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { Converter } from './converter.js';
import { LibavError } from './libav-error.js';
import { probeInput } from './libav-probe.js';
import { MediaInput, secondsOf } from './media-input.js';

/** The thread that watches this process expects it to return to its event loop regularly. */
const PACKETS_AT_ONCE = 10_000;

/**
 * FFmpeg as a library (`node-av`), in this process, which media can crash: only for the packager's child process. Nothing
 * has to be installed.
 */
export class LibavTool implements MediaTool {
  constructor() {
    Log.setLevel(AV_LOG_QUIET);
  }

  probe(source: string): Promise<ProbedMedia> {
    return this.within(source, (input) => probeInput(input));
  }

  scan(source: string, streams: readonly number[], onPacket: (packet: ScannedPacket) => void): Promise<void> {
    const packet = new Packet();
    packet.alloc();
    return this.withinEach(source, async (input) => {
      input.readOnly(new Set(streams));
      const timeBases = input.streams.map(({ timeBase: { num, den } }) => ({ num, den }));
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
    });
  }

  convert(source: string, folder: string, conversion: Conversion): Promise<void> {
    let converter: Converter | null = null;
    return this.withinEach(source, (input, isLast) => {
      converter ??= new Converter(input, folder, conversion);
      return converter.run(input, isLast);
    });
  }

  /** One after another, the links of a chained Ogg, where FFmpeg would stop after the first; or the file. */
  private async withinEach(
    source: string,
    work: (input: MediaInput, isLast: boolean) => Promise<void>,
  ): Promise<void> {
    const links = await oggLinks(source);
    if (links.length < 2) return this.within(source, (input) => work(input, true));
    for (const link of links) await this.within(source, (input) => work(input, link === links.at(-1)), link);
  }

  private async within<T>(
    source: string,
    work: (input: MediaInput) => T | Promise<T>,
    range?: ByteRange,
  ): Promise<T> {
    try {
      using input = MediaInput.open(source, range);
      return await work(input);
    } catch (error) {
      if (!(error instanceof LibavError) || error.mayPass) throw error;
      throw new UnplayableMediaError(`The file is damaged: FFmpeg cannot process it (${error.message}).`, {
        cause: error,
      });
    }
  }
}
