import { AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLT } from 'node-av/constants';
import { FFmpegError, SoftwareResampleContext } from 'node-av/lib';

/**
 * Changes the sample rate of one channel with FFmpeg's resampler, piece by piece, in constant memory and without delay:
 * sample n of the output is the input at time n / `to`.
 */
export class Resampler {
  private readonly context = new SoftwareResampleContext();

  /** Sample rates in hertz, as whole numbers. */
  constructor(from: number, to: number) {
    const mono = [AV_CHANNEL_LAYOUT_MONO, AV_SAMPLE_FMT_FLT] as const;
    FFmpegError.throwIfError(this.context.allocSetOpts2(...mono, to, ...mono, from), 'swr_alloc_set_opts2');
    this.begin();
  }

  /** Returns as much of the output as is final; the piece is not retained. */
  push(piece: Float32Array): Float32Array {
    return this.convert([bytesOf(piece)], piece.length);
  }

  /** Returns the rest of the output; whatever is pushed afterwards starts a new stream. */
  end(): Float32Array {
    const rest = this.convert(null, 0);
    this.begin();
    return rest;
  }

  private begin(): void {
    FFmpegError.throwIfError(this.context.init(), 'swr_init');
  }

  private convert(input: Buffer[] | null, length: number): Float32Array {
    const output = new Float32Array(this.context.getOutSamples(length));
    const written = this.context.convertSync([bytesOf(output)], output.length, input, length);
    FFmpegError.throwIfError(written, 'swr_convert');
    return output.subarray(0, written);
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
