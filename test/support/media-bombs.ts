/** Files of a few kilobytes that claim to be larger than any recording. */

const DAY = 86_400;
const BILLIONS = 0xffff_ffff;

/** A WAV of 8-bit samples. */
export function wav({ channels = 1, sampleRate = 48_000, bytes = 50_000 }): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(bytes + 36, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(Math.min(BILLIONS, sampleRate * channels), 28);
  header.writeUInt16LE(channels, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return Buffer.concat([header, Buffer.alloc(bytes, 0x80)]);
}

/** The MP4 with this duration of every track: each packet simply lasts longer. Fragments too. */
export function lasting(mp4: Uint8Array, days: number): Buffer {
  const file = Buffer.from(mp4);
  const units = days * DAY * 1000;
  for (const at of bodies(file, 'mdhd')) file.writeUInt32BE(1000, at + 12);
  for (const at of bodies(file, 'stts')) stretchTable(file, at, units);
  for (const at of bodies(file, 'traf')) stretchFragment(file, at, units);
  return file;
}

/** The MP4 with this picture size. */
export function sized(mp4: Uint8Array, width: number, height: number): Buffer {
  const file = Buffer.from(mp4);
  for (const at of bodies(file, 'avc1')) {
    file.writeUInt16BE(width, at + 24);
    file.writeUInt16BE(height, at + 26);
  }
  return file;
}

/** The MP4 with this many copies of its last track. */
export function withTracks(mp4: Uint8Array, count: number): Buffer {
  const file = Buffer.from(mp4);
  const moov = file.indexOf('moov') - 4;
  const moovEnd = moov + file.readUInt32BE(moov);
  const trak = file.lastIndexOf('trak', moovEnd) - 4;
  const track = file.subarray(trak, trak + file.readUInt32BE(trak));
  const more = Buffer.concat(Array.from({ length: count }, () => track));
  file.writeUInt32BE(moovEnd - moov + more.length, moov);
  return Buffer.concat([file.subarray(0, moovEnd), more, file.subarray(moovEnd)]);
}

/** The MP4 with four billion samples of one byte in each track, in a table that needs no entries for it. */
export function withBillionsOfSamples(mp4: Uint8Array): Buffer {
  const file = Buffer.from(mp4);
  for (const at of bodies(file, 'stsz')) {
    file.writeUInt32BE(1, at + 4);
    file.writeUInt32BE(BILLIONS, at + 8);
  }
  return file;
}

/** The MP4 in fragments with four billion samples in each run: all fields have their defaults. */
export function withBillionsInFragments(mp4: Uint8Array): Buffer {
  const file = Buffer.from(mp4);
  for (const at of bodies(file, 'trun')) {
    file.writeUInt32BE(0, at);
    file.writeUInt32BE(BILLIONS, at + 4);
  }
  return file;
}

/** The WebM with this duration in its header. */
export function claiming(webm: Uint8Array, seconds: number): Buffer {
  const file = Buffer.from(webm);
  const at = file.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  if (at < 0) throw new Error('No duration of 8 bytes found');
  file.writeDoubleBE(seconds * 1000, at + 3);
  return file;
}

/** The WebM of a live recording with its last cluster at this time, in seconds; its header has no duration. */
export function paused(webm: Uint8Array, seconds: number): Buffer {
  const file = Buffer.from(webm);
  const time = file.indexOf(0xe7, file.lastIndexOf(Buffer.from([0x1f, 0x43, 0xb6, 0x75])));
  const behind = time + 2 + ((file[time + 1] ?? 0) & 0x7f);
  const later = Buffer.from([0xe7, 0x84, 0, 0, 0, 0]);
  later.writeUInt32BE(seconds * 1000, 2);
  return Buffer.concat([file.subarray(0, time), later, file.subarray(behind)]);
}

/** Offsets of the bodies of all boxes of a type. */
function bodies(file: Buffer, type: string): number[] {
  const found: number[] = [];
  for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 4)) found.push(at + 4);
  if (type === 'mdhd' && found.length === 0) throw new Error('This is not an MP4');
  return found;
}

function stretchTable(file: Buffer, stts: number, units: number): void {
  const entries = Array.from({ length: file.readUInt32BE(stts + 4) }, (_, index) => stts + 8 + 8 * index);
  const packets = entries.reduce((sum, entry) => sum + file.readUInt32BE(entry), 0);
  for (const entry of entries) file.writeUInt32BE(Math.round(units / packets), entry + 4);
}

/** Makes the first packets last longer: those of the first run, or all that use the default of their fragment. */
function stretchFragment(file: Buffer, traf: number, units: number): void {
  const [tfhd, trun] = [file.indexOf('tfhd', traf) + 4, file.indexOf('trun', traf) + 4];
  const flags = file.readUIntBE(trun + 1, 3);
  const packets = file.readUInt32BE(trun + 4);
  const each = Math.round(units / packets);
  if (flags & 0x100) {
    const fields = [0x100, 0x200, 0x400, 0x800].filter((field) => flags & field).length;
    const table = trun + 8 + (flags & 0x1 ? 4 : 0) + (flags & 0x4 ? 4 : 0);
    for (let index = 0; index < packets; index++) file.writeUInt32BE(each, table + 4 * fields * index);
  } else {
    const header = file.readUIntBE(tfhd + 1, 3);
    if (!(header & 0x8)) throw new Error('The packets have no duration');
    file.writeUInt32BE(each, tfhd + 8 + (header & 0x1 ? 8 : 0) + (header & 0x2 ? 4 : 0));
  }
}

/** A bomb, derived from one of the files of `makeMedia`, and why it is rejected. */
export interface Bomb {
  readonly name: string;
  readonly from: string;
  readonly make: (file: Uint8Array) => Buffer;
  readonly reason: RegExp;
}

const bomb = (name: string, from: string, make: Bomb['make'], reason: RegExp): Bomb => ({
  name,
  from,
  make,
  reason,
});

const LASTS =
  /^The file claims to last 27 days with \d+ KB of data; the limit for that much data is [\d.]+ hours\.$/;
const SAMPLES =
  /^A track claims to have 4,294,967,\d+ samples in \d+ KB of data; the limit for that much data is \d+,\d+\.$/;

export const BOMBS: readonly Bomb[] = [
  bomb('an MP4 of 27 days', 'fast-start.mp4', (mp4) => lasting(mp4, 27), LASTS),
  bomb('one that has to be encoded', 'rotated.mp4', (mp4) => lasting(mp4, 27), LASTS),
  bomb('27 days in one fragment', 'fragmented.mp4', (mp4) => lasting(mp4, 27), LASTS),
  bomb('a WebM of 27 days', 'vp8.webm', (webm) => claiming(webm, 27 * DAY), LASTS),
  bomb('a WAV at 1 Hz', 'sound.wav', () => wav({ sampleRate: 1 }), /^The audio has a sample rate of 1 Hz; /),
  bomb('four billion samples', 'fast-start.mp4', withBillionsOfSamples, SAMPLES),
  bomb(
    '1,000 tracks',
    'fast-start.mp4',
    (mp4) => withTracks(mp4, 1_000),
    /^The file has more than 100 tracks/,
  ),
  bomb(
    'a picture of 65,535 by 65,535',
    'fast-start.mp4',
    (mp4) => sized(mp4, 65_535, 65_535),
    /^The picture has 65,535 × 65,535 pixels; the limit is 8,192 on either side/,
  ),
  bomb(
    'four billion samples in a fragment',
    'fragmented.mp4',
    withBillionsInFragments,
    /^The file claims to last [\d,]+ days with|^A track claims to have 4,294,967,295 samples/,
  ),
  // FFprobe does not read its header at all.
  bomb(
    '65,535 channels',
    'sound.wav',
    () => wav({ channels: 65_535 }),
    /^The audio has 65,535 channels; the limit is 64\.$|^The file is damaged: /,
  ),
];
