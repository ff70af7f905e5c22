import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAudio } from '../../src/lib/media-engine/media-engine.js';
import { TONE } from './diarization-models.js';
import { speechFile, wav } from './speech.js';

const RATE = 16_000;

/** A speech, a pause of a second, and the same by somebody whom the models of the test know by a tone. */
export async function twoVoices(): Promise<{ media: Buffer; second: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'mrs-voices-'));
  try {
    const source = join(folder, 'jfk.flac');
    await writeFile(source, speechFile('jfk.flac'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { path, duration } = await extractAudio({ source, folder }, options);
    const bytes = await readFile(path);
    const sampleAt = (time: number): number => {
      const offset = 2 * Math.round(time * RATE);
      return time >= 0 && offset + 1 < bytes.length ? bytes.readInt16LE(offset) / 32_768 : 0;
    };
    const second = duration + 1;
    const media = wav(Math.ceil(second + duration), (time) => {
      if (time < second) return sampleAt(time) * 0.9;
      return sampleAt(time - second) * 0.9 + 0.01 * Math.sin(2 * Math.PI * TONE * time);
    });
    return { media, second };
  } finally {
    await rm(folder, { recursive: true });
  }
}
