import { open, type FileHandle } from 'node:fs/promises';
import { AUDIO_RATE, SAMPLE_BYTES, samplesOf } from './audio-format.js';
import { measuredAudio, type AudioFile } from './measured-audio.js';

const HIGHEST = 32_767;
/** One second. */
const BLOCK_BYTES = AUDIO_RATE * SAMPLE_BYTES;

/** Writes the sum of files, which is as long as the longest of them; samples that are too loud are clipped. */
export async function sumOf(files: readonly AudioFile[], target: string): Promise<AudioFile> {
  const opened: FileHandle[] = [];
  try {
    const output = await open(target, 'w', 0o600);
    opened.push(output);
    const sources: FileHandle[] = [];
    for (const { path } of files) sources.push(await open(path, 'r'));
    opened.push(...sources);
    const bytes = Math.max(...files.map(({ length }) => length)) * SAMPLE_BYTES;
    for (let position = 0; position < bytes; position += BLOCK_BYTES) {
      const sum = new Float32Array(Math.min(BLOCK_BYTES, bytes - position) / SAMPLE_BYTES);
      for (const source of sources) {
        const samples = samplesOf(await blockOf(source, position));
        samples.forEach((sample, place) => (sum[place] = (sum[place] as number) + sample));
      }
      await output.writeFile(clipped(sum));
    }
  } finally {
    for (const file of opened) await file.close();
  }
  return measuredAudio(target, Infinity);
}

function clipped(sum: Float32Array): Buffer {
  const bytes = Buffer.alloc(sum.length * SAMPLE_BYTES);
  sum.forEach((sample, place) =>
    bytes.writeInt16LE(Math.max(-HIGHEST, Math.min(HIGHEST, sample)), place * SAMPLE_BYTES),
  );
  return bytes;
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
