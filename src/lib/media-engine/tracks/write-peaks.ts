import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { AUDIO_RATE, samplesOf, type AudioFile } from '../audio/audio-format.js';

/** Pairs of a lowest and a highest sample: enough for each pixel of the widest screen, several times. */
const MAX_PAIRS = 20_000;
const LEAST_SAMPLES = 256;

/**
 * Writes the waveform of audio that begins at this second of a recording: JSON as `audiowaveform` writes it, of 8 bits,
 * from the beginning of the recording to the end of the audio. A straight line of these seconds for null.
 */
export async function writePeaks(
  audio: AudioFile | null,
  offset: number,
  seconds: number,
  target: string,
): Promise<void> {
  let at = Math.round(offset * AUDIO_RATE);
  const end = at + (audio?.length ?? Math.round(seconds * AUDIO_RATE));
  const perPair = Math.max(LEAST_SAMPLES, Math.ceil(end / MAX_PAIRS));
  const data = new Int8Array(2 * Math.max(1, Math.ceil(end / perPair)));
  for await (const piece of audio ? createReadStream(audio.path, { highWaterMark: 2 ** 20 }) : []) {
    const samples = samplesOf(piece as Buffer);
    for (let from = Math.max(0, -at); from < samples.length;) {
      const pair = Math.floor((at + from) / perPair);
      const to = Math.min(samples.length, (pair + 1) * perPair - at);
      let [low, high] = [data[2 * pair] ?? 0, data[2 * pair + 1] ?? 0];
      for (; from < to; from++) {
        const value = (samples[from] ?? 0) >> 8;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      data.set([low, high], 2 * pair);
    }
    at += samples.length;
  }
  const header = { version: 2, channels: 1, sample_rate: AUDIO_RATE, samples_per_pixel: perPair, bits: 8 };
  await writeFile(target, JSON.stringify({ ...header, length: data.length / 2, data: [...data] }));
}
