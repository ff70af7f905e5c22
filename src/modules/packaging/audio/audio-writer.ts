import { open, type FileHandle } from 'node:fs/promises';
import { LEVEL_SAMPLES, SAMPLE_BYTES, AUDIO_RATE } from './audio-format.js';

/** One second. */
const BUFFERED_SAMPLES = AUDIO_RATE;
const FULL_SCALE = 32_767;

/** Audio in a file, in the format of `audio-format.ts`. */
export interface AudioFile {
  readonly path: string;
  /** Samples. */
  readonly length: number;
  /** Root mean square of each `LEVEL_SAMPLES`, 0 to 1. */
  readonly levels: readonly number[];
}

/** Writes extracted audio to a file, and measures its levels. Skipped silence takes no space on disk. */
export class AudioWriter {
  /** Samples so far, including silence. */
  length = 0;
  private readonly buffer = Buffer.alloc(BUFFERED_SAMPLES * SAMPLE_BYTES);
  private buffered = 0;
  private readonly levels: number[] = [];
  private squares = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
  ) {}

  static async create(path: string): Promise<AudioWriter> {
    return new AudioWriter(await open(path, 'w', 0o600), path);
  }

  /** Samples from -1 to 1; louder ones are clipped, NaN becomes silence. */
  async write(samples: Float32Array): Promise<void> {
    for (const sample of samples) {
      const value = Math.round(Math.max(-1, Math.min(1, sample || 0)) * FULL_SCALE);
      this.buffer.writeInt16LE(value, this.buffered * SAMPLE_BYTES);
      this.buffered += 1;
      this.squares += (value / FULL_SCALE) ** 2;
      this.length += 1;
      if (this.length % LEVEL_SAMPLES === 0) this.endLevel();
      if (this.buffered === BUFFERED_SAMPLES) await this.flush();
    }
  }

  /** Fills up to `length` samples with silence. */
  async skipTo(length: number): Promise<void> {
    if (length <= this.length) return;
    await this.flush();
    const levels = Math.floor(length / LEVEL_SAMPLES);
    if (levels > this.levels.length) this.endLevel();
    while (this.levels.length < levels) this.levels.push(0);
    this.length = length;
  }

  /** Writes the rest; nothing may be written afterwards. */
  async end(): Promise<AudioFile> {
    await this.flush();
    if (this.length % LEVEL_SAMPLES > 0) this.endLevel();
    await this.file.truncate(this.length * SAMPLE_BYTES);
    return { path: this.path, length: this.length, levels: this.levels };
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async flush(): Promise<void> {
    const bytes = this.buffered * SAMPLE_BYTES;
    const position = this.length * SAMPLE_BYTES - bytes;
    this.buffered = 0;
    let written = 0;
    while (written < bytes) {
      written += (await this.file.write(this.buffer, written, bytes - written, position + written))
        .bytesWritten;
    }
  }

  private endLevel(): void {
    this.levels.push(Math.sqrt(this.squares / LEVEL_SAMPLES));
    this.squares = 0;
  }
}
