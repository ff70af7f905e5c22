import { openAsBlob } from 'node:fs';
import { SAMPLE_BYTES } from '../../../lib/media-engine/audio/audio-format.js';
import type { ExtractedAudio } from '../../../lib/media-engine/media-engine.js';
import type { Span } from '../../../lib/speech/passages.js';

const HEADER_BYTES = 44;

/** A part of the audio as a WAV file that is read only when it is sent. */
export async function wavOf({ path, rate }: ExtractedAudio, { start, end }: Span): Promise<File> {
  const place = (seconds: number) => Math.round(seconds * rate) * SAMPLE_BYTES;
  const samples = (await openAsBlob(path)).slice(place(start), place(end));
  return new File([wavHeader(samples.size, rate), samples], 'part.wav', { type: 'audio/wav' });
}

/** Describes one channel of 16 bits. */
function wavHeader(bytes: number, rate: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return header;
}
