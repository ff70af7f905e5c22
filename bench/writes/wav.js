const HEADER_BYTES = 44;
const BYTES_PER_SECOND = 32_000;

/** A silent WAV file of so many bytes, 16 kHz mono. */
export function wav(bytes) {
  const file = Buffer.alloc(bytes);
  file.write('RIFF', 0);
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(BYTES_PER_SECOND / 2, 24);
  file.writeUInt32LE(BYTES_PER_SECOND, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes - HEADER_BYTES, 40);
  return file;
}
