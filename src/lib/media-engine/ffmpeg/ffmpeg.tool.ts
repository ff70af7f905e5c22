import { join } from 'node:path';
import {
  holdsSamples,
  urlOf,
  type Conversion,
  type MediaPart,
  type MediaTool,
  type ProbedMedia,
  type ScannedPacket,
} from '../engine/media-tool.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { conversionArguments, headerArguments, packetArguments, WHOLE_PACKETS } from './ffmpeg-arguments.js';
import { parseHeader, parsePacket } from './ffmpeg-probe.js';
import { FfmpegError, runFfmpeg, type FfmpegRun } from './ffmpeg-process.js';

/** What FFmpeg prints when the disk or the machine is at fault, rather than the media. */
const MACHINE_AT_FAULT =
  /no space left|cannot allocate memory|input\/output error|too many open files|resource temporarily unavailable|no such file/i;

/** FFmpeg as a program installed on the system, for the packager's child process; `ffprobe` must be next to it. */
export class FfmpegTool implements MediaTool {
  private readonly ffprobe: string;
  /** Options for opening the source; known once it has been probed. */
  private input: readonly string[] = WHOLE_PACKETS;

  constructor(
    readonly folder: string,
    private readonly ffmpeg: string,
    private readonly limits: Pick<FfmpegRun, 'bytes' | 'cpuSeconds'>,
  ) {
    this.ffprobe = ffmpeg.replace(/ffmpeg(?=[^/\\]*$)/, 'ffprobe');
  }

  async probe(part: MediaPart): Promise<ProbedMedia> {
    const pieces: Buffer[] = [];
    await this.inspect(part, headerArguments, (piece) => void pieces.push(piece));
    const probed = parseHeader(Buffer.concat(pieces).toString('utf8'));
    this.input = holdsSamples(probed.format) ? [] : WHOLE_PACKETS;
    return probed;
  }

  async scan(
    part: MediaPart,
    streams: readonly number[],
    onPacket: (packet: ScannedPacket) => void,
  ): Promise<void> {
    const lines = lineReader((line) => {
      const packet = parsePacket(line);
      if (packet && streams.includes(packet.stream)) onPacket(packet);
    });
    await this.inspect(part, (path) => packetArguments(path, this.input), lines);
  }

  async convert(conversion: Conversion): Promise<null> {
    const onOutput = lineReader((line) => {
      const [, microseconds] = /^out_time_us=(\d+)/.exec(line) ?? [];
      if (microseconds !== undefined) conversion.onTime?.(Number(microseconds) / 1e6);
    });
    const args = conversionArguments(this.input, (name) => join(this.folder, name), conversion);
    await this.run('it cannot be decoded', this.ffmpeg, args, onOutput);
    return null;
  }

  private inspect(
    part: MediaPart,
    args: (url: string) => string[],
    onOutput: (piece: Buffer) => void,
  ): Promise<void> {
    return this.run('its structure cannot be read', this.ffprobe, args(urlOf(part)), onOutput);
  }

  private async run(
    damage: string,
    program: string,
    args: readonly string[],
    onOutput: (piece: Buffer) => void,
  ): Promise<void> {
    try {
      await runFfmpeg({ program, args, ...this.limits, onOutput });
    } catch (error) {
      if (!(error instanceof FfmpegError) || !error.isMediaAtFault(MACHINE_AT_FAULT)) throw error;
      throw new UnplayableMediaError(`The file is damaged: ${damage}.`, { cause: error });
    }
  }
}

/** Splits output into lines; the last one must be complete. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => void {
  let rest = '';
  return (piece) => {
    const lines = (rest + piece.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
