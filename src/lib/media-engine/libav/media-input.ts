import { AV_NOPTS_VALUE, AV_PKT_FLAG_CORRUPT, AVDISCARD_ALL, AVSEEK_FLAG_BACKWARD } from 'node-av/constants';
import { Dictionary, FormatContext, type Packet, type Stream } from 'node-av/lib';
import { DEMUXERS, holdsSamples, urlOf, type MediaPart } from '../engine/media-tool.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
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
    for (const stream of this.streams) if (!indexes.has(stream.index)) stream.discard = AVDISCARD_ALL;
  }

  /** Moves to the last key frame before a time in the file, in seconds; to the beginning where that is not possible. */
  seek(seconds: number): void {
    this.context.seekFrameSync(-1, BigInt(Math.round(seconds * MICROSECONDS)), AVSEEK_FLAG_BACKWARD);
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
      if (this.keepsCorrupt || !packet.hasFlags(AV_PKT_FLAG_CORRUPT)) return true;
      packet.unref();
    }
  }

  [Symbol.dispose](): void {
    this.context.closeInputSync();
  }
}

/** Null for FFmpeg's "no value". */
export function secondsOf(value: bigint, { num, den }: TimeBase): number | null {
  return value === AV_NOPTS_VALUE ? null : (Number(value) * num) / den;
}

const microseconds = (value: bigint): number | null => secondsOf(value, { num: 1, den: MICROSECONDS });

/** Copies a time base out of the native object that it comes in. */
export const plain = ({ num, den }: TimeBase): TimeBase => ({ num, den });
