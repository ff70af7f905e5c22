import { join } from 'node:path';
import * as av from 'node-av/constants';
import { Dictionary, FormatContext, type Packet, type Stream } from 'node-av/lib';
import { DEMUXERS, holdsSamples, urlOf, type MediaPart, type OutputFile } from '../engine/media-tool.js';
import { UnplayableMediaError } from '../media.errors.js';
import { check, LibavError } from './libav-error.js';

const SAFE_INPUT = {
  protocol_whitelist: 'file,subfile',
  format_whitelist: DEMUXERS,
};
const MICROSECONDS = 1e6;

/** A unit of time as a fraction of a second. */
export interface TimeBase {
  readonly num: number;
  readonly den: number;
}

/** A media file opened for reading. */
export class MediaInput implements Disposable {
  /** Whether to keep packets that are cut off, as the last one of a truncated file is. */
  private readonly keepsCorrupt: boolean;

  private constructor(
    private readonly context: FormatContext,
    readonly streams: readonly Stream[],
  ) {
    this.keepsCorrupt = holdsSamples(this.format);
  }

  /** Throws `UnplayableMediaError` if FFmpeg cannot read it. */
  static open(part: MediaPart): MediaInput {
    const context = new FormatContext();
    try {
      using options = Dictionary.fromObject(SAFE_INPUT);
      check(context.openInputSync(urlOf(part), null, options), 'avformat_open_input');
    } catch (error) {
      if (!(error instanceof LibavError) || error.mayPass) throw error;
      throw new UnplayableMediaError('The file is damaged: its structure cannot be read.', { cause: error });
    }
    check(context.findStreamInfoSync(), 'avformat_find_stream_info');
    return new MediaInput(context, context.streams);
  }

  /** FFmpeg's names of the container. */
  get format(): string {
    return this.context.iformat?.name ?? '';
  }

  /** Seconds; null if unknown. */
  get start(): number | null {
    return microseconds(this.context.startTime);
  }

  get duration(): number | null {
    return microseconds(this.context.duration);
  }

  get createdAt(): string | null {
    return this.context.metadata?.get('creation_time') ?? null;
  }

  /** Skips the packets of all other streams. */
  readOnly(indexes: ReadonlySet<number>): void {
    for (const stream of this.streams) if (!indexes.has(stream.index)) stream.discard = av.AVDISCARD_ALL;
  }

  /** Moves to the last key frame before a time in the file, in seconds; to the beginning where that is not possible. */
  seek(seconds: number): void {
    this.context.seekFrameSync(-1, BigInt(Math.round(seconds * MICROSECONDS)), av.AVSEEK_FLAG_BACKWARD);
  }

  /** Reads the next packet; false at the end, and where the rest of the file cannot be read. */
  read(packet: Packet): boolean {
    for (;;) {
      const result = this.context.readFrameSync(packet);
      if (result < 0) {
        const error = new LibavError('av_read_frame', result);
        if (error.mayPass) throw error;
        return false;
      }
      if (this.keepsCorrupt || !packet.hasFlags(av.AV_PKT_FLAG_CORRUPT)) return true;
      packet.unref();
    }
  }

  [Symbol.dispose](): void {
    this.context.closeInputSync();
  }
}

/** Null for FFmpeg's "no value". */
export const secondsOf = (value: bigint, { num, den }: TimeBase): number | null =>
  value === av.AV_NOPTS_VALUE ? null : (Number(value) * num) / den;

const microseconds = (value: bigint): number | null => secondsOf(value, { num: 1, den: MICROSECONDS });

/** Copies a time base out of the native object that it comes in. */
export const plain = ({ num, den }: TimeBase): TimeBase => ({ num, den });

/** Writes a media file: first all tracks are described, then it begins, then packets follow in any order of tracks. */
export class FileWriter implements Disposable {
  private readonly context = new FormatContext();
  private readonly streams: Stream[] = [];
  private timeBases: readonly TimeBase[] = [];
  private open = false;

  constructor(
    folder: string,
    private readonly output: OutputFile,
  ) {
    const path = `file:${join(folder, output.name)}`;
    check(this.context.allocOutputContext2(null, output.format, path), 'avformat_alloc_output_context2');
  }

  addTrack(describe: (stream: Stream) => void): number {
    const stream = this.context.newStream();
    describe(stream);
    return this.streams.push(stream) - 1;
  }

  begin(): void {
    check(this.context.openOutputSync(), 'avio_open');
    this.open = true;
    using options = Dictionary.fromObject(this.output.options);
    check(this.context.writeHeaderSync(options), 'avformat_write_header');
    // The muxer may have chosen other time bases.
    this.timeBases = this.streams.map(({ timeBase }) => plain(timeBase));
  }

  /** Takes the packet, whose times are in this base. */
  write(packet: Packet, track: number, from: TimeBase): void {
    packet.streamIndex = track;
    packet.rescaleTs(from, this.timeBases[track] ?? from);
    check(this.context.interleavedWriteFrameSync(packet), 'av_interleaved_write_frame');
  }

  end(): void {
    check(this.context.writeTrailerSync(), 'av_write_trailer');
    this.open = false;
    this.context.closeOutputSync();
  }

  [Symbol.dispose](): void {
    if (this.open) this.context.closeOutputSync();
    this.context.freeContext();
  }
}
