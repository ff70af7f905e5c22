import { open, type FileHandle } from 'node:fs/promises';
import { AUDIO_RATE, SAMPLE_BYTES, samplesOf } from './audio-format.js';
import { AudioWriter, type AudioFile } from './audio-writer.js';

const FULL_SCALE = 32_767;
/** One second. */
const BLOCK_BYTES = AUDIO_RATE * SAMPLE_BYTES;

/** Writes the sum of files, which is as long as the longest of them; samples that are too loud are clipped. */
export async function sumOf(files: readonly AudioFile[], target: string): Promise<AudioFile> {
  const sources: FileHandle[] = [];
  const writer = await AudioWriter.create(target);
  try {
    for (const { path } of files) sources.push(await open(path, 'r'));
    const bytes = Math.max(...files.map(({ length }) => length)) * SAMPLE_BYTES;
    for (let position = 0; position < bytes; position += BLOCK_BYTES) {
      const sum = new Float32Array(Math.min(BLOCK_BYTES, bytes - position) / SAMPLE_BYTES);
      for (const source of sources) {
        const samples = samplesOf(await blockOf(source, position));
        samples.forEach((sample, place) => (sum[place] = (sum[place] as number) + sample / FULL_SCALE));
      }
      await writer.write(sum);
    }
    return await writer.end();
  } finally {
    for (const file of [...sources, writer]) await file.close();
  }
}

/** Shorter than a block only at the end of the file. */
async function blockOf(file: FileHandle, position: number): Promise<Buffer> {
  const block = Buffer.alloc(BLOCK_BYTES);
  let length = 0;
  while (length < BLOCK_BYTES) {
    const { bytesRead } = await file.read(block, length, BLOCK_BYTES - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return block.subarray(0, length);
}
