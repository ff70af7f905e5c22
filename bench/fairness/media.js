import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const VIDEO = fileURLToPath(new URL('../../demo/media/depot-walk-through.mp4', import.meta.url));
const DAYS_27 = 27 * 24 * 60 * 60;
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const WAV_HEADER = 44;
const WAV_SAMPLES = 50_000;

/** A video of 18 seconds whose index claims 27 days of frames; 55,076 bytes. */
export function longMp4() {
  const file = readFileSync(VIDEO);
  // Version 0 boxes, as written by the packager: version and flags, then 32-bit fields.
  for (const { type, fields } of boxes(file, 0, file.length)) stretch(file, type, fields);
  return file;
}

/** Every box of the index: its type and the offset of its fields. */
function* boxes(file, from, to) {
  for (let at = from; at < to; at += file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    yield { type, fields: at + 8 };
    if (CONTAINERS.has(type)) yield* boxes(file, at + 8, at + file.readUInt32BE(at));
  }
}

function stretch(file, type, fields) {
  if (type === 'mvhd') file.writeUInt32BE(DAYS_27 * file.readUInt32BE(fields + 12), fields + 16);
  // In units of `mvhd`, which are milliseconds.
  if (type === 'tkhd') file.writeUInt32BE(DAYS_27 * 1000, fields + 20);
  if (type === 'edts') file.writeUInt32BE(DAYS_27 * 1000, fields + 16);
  if (type === 'mdhd') {
    // One unit is one second.
    file.writeUInt32BE(1, fields + 12);
    file.writeUInt32BE(DAYS_27, fields + 16);
  }
  if (type === 'stts') stretchFrames(file, fields);
}

/** Spreads the frames evenly over 27 days. */
function stretchFrames(file, fields) {
  const entries = Array.from({ length: file.readUInt32BE(fields + 4) }, (_, n) => fields + 8 + 8 * n);
  const frames = entries.reduce((sum, at) => sum + file.readUInt32BE(at), 0);
  for (const at of entries) file.writeUInt32BE(Math.floor(DAYS_27 / frames), at + 4);
}

/** 50 KB of one-byte samples at 1 Hz: almost 14 hours. */
export function slowWav() {
  const file = Buffer.alloc(WAV_HEADER + WAV_SAMPLES);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  // PCM, one channel, one sample and one byte per second, one byte per frame, 8 bits per sample.
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(1, 24);
  file.writeUInt32LE(1, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(WAV_SAMPLES, 40);
  for (let n = 0; n < WAV_SAMPLES; n += 1) file[WAV_HEADER + n] = 128 + Math.round(60 * Math.sin(n));
  return file;
}
