import { open } from 'node:fs/promises';
import { AUDIO_RATE, LEVEL_SAMPLES, levelsIn, SAMPLE_BYTES, samplesOf } from './audio-format.js';

/** Whole levels. */
const BLOCK = 20 * LEVEL_SAMPLES;

/**
 * Copies audio in the format of `audio-format.ts` to where it belongs in a recording of `length` seconds: `offset` seconds
 * after its beginning, or before it. What is outside is cut off. Silence takes no space on the disk. Returns the levels
 * of what is written, as those of `ExtractedAudio`.
 */
export async function placeVoice(
  from: string,
  to: string,
  offset: number,
  length: number,
): Promise<Float32Array> {
  const samples = Math.round(length * AUDIO_RATE);
  const start = Math.round(offset * AUDIO_RATE);
  await using source = await open(from);
  await using target = await open(to, 'w', 0o600);
  await target.truncate(samples * SAMPLE_BYTES);
  const levels = new Float32Array(Math.ceil(samples / LEVEL_SAMPLES));
  const available = start + (await source.stat()).size / SAMPLE_BYTES;
  const silence = Buffer.alloc(BLOCK * SAMPLE_BYTES);
  const first = Math.max(0, Math.floor(start / BLOCK)) * BLOCK;
  for (let at = first; at < Math.min(samples, available); at += BLOCK) {
    const block = Buffer.alloc(Math.min(BLOCK, samples - at) * SAMPLE_BYTES);
    const missing = Math.max(0, start - at) * SAMPLE_BYTES;
    await source.read(block, missing, block.length - missing, Math.max(0, at - start) * SAMPLE_BYTES);
    if (block.equals(silence.subarray(0, block.length))) continue;
    await target.write(block, 0, block.length, at * SAMPLE_BYTES);
    levels.set(levelsIn(samplesOf(block)), at / LEVEL_SAMPLES);
  }
  return levels;
}
