import { open, writeFile, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import {
  LEVEL_SAMPLES,
  LEVELS_FILE,
  levelBytes,
  SAMPLE_BYTES,
  AUDIO_FILE,
  AUDIO_RATE,
} from './audio-format.js';

/** One second. */
const BUFFERED_SAMPLES = AUDIO_RATE;
const FULL_SCALE = 32_767;

/** Writes the two files of extracted audio. Skipped silence takes no space on disk. */
export class AudioWriter {
  /** Samples so far, including silence. */
  length = 0;
  private readonly buffer = Buffer.alloc(BUFFERED_SAMPLES * SAMPLE_BYTES);
  private buffered = 0;
  private readonly levels: number[] = [];
  private squares = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly folder: string,
  ) {}

  static async create(folder: string): Promise<AudioWriter> {
    return new AudioWriter(await open(join(folder, AUDIO_FILE), 'w', 0o600), folder);
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

  /** Writes the rest and closes the files. */
  async end(): Promise<void> {
    await this.flush();
    if (this.length % LEVEL_SAMPLES > 0) this.endLevel();
    await this.file.truncate(this.length * SAMPLE_BYTES);
    await this.file.close();
    await writeFile(join(this.folder, LEVELS_FILE), levelBytes(this.levels), { mode: 0o600 });
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
