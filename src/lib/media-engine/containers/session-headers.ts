import type { Mark } from './byte-range.js';

/** How files of a container begin. */
export interface SessionHeader extends Mark {
  /** Bytes of the header. One that follows another immediately belongs to the same file; 0 if that cannot be. */
  readonly length: (head: Buffer) => number;
}

/** Identifier, length and text. */
const DOC_TYPE = /\x42\x82.(?:webm|matroska)/s;
const OGG_PAGE = 27;
const RATES = { least: 4_000, most: 768_000 };

/** FFmpeg itself continues with the next file where there is no header: MPEG audio, ADTS, AC-3, elementary streams. */
const HEADERS: readonly SessionHeader[] = [
  header(Buffer.from('1a45dfa3', 'hex'), { matches: (head) => DOC_TYPE.test(text(head, 64)) }),
  // The first pages of all tracks come first.
  header('OggS\0\x02', { length: pageBytes }),
  header('WAVE', { offset: 8, matches: (head) => /^(?:RIFF|RF64|BW64|RIFX)/.test(text(head, 4)) }),
  header('AVI ', { offset: 8, matches: (head) => text(head, 4) === 'RIFF' }),
  header('AIFF', { offset: 8, matches: (head) => text(head, 4) === 'FORM' }),
  header('AIFC', { offset: 8, matches: (head) => text(head, 4) === 'FORM' }),
  header('riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb\x04\xc1\0\0'),
  header('caff\0\x01\0\0'),
  header('.snd', { matches: (head) => isRate(number(head, 16)) && number(head, 4) >= 24 }),
  header('fLaC\0\0\0\x22'),
  header('fLaC\x80\0\0\x22'),
  header('FLV\x01', { matches: (head) => number(head, 5) === 9 }),
  header(Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')),
  header('TTA1', { matches: (head) => head.length >= 14 && isRate(head.readUInt32LE(10)) }),
  header('wvpk', { matches: isFirstBlock }),
  header('DKIF\0\0\x20\0'),
  header(Buffer.from('060e2b34020501010d0102010102', 'hex')),
  header('.RMF\0\0\0\x12'),
  header('#!AMR'),
  header('nut/multimedia container\0'),
];

/** How a file begins, and others that may be joined to it; null if such files have no header. */
export function headerOf(head: Buffer): SessionHeader | null {
  const found = HEADERS.find(
    ({ mark, offset, matches }) => head.subarray(offset, offset + mark.length).equals(mark) && matches(head),
  );
  return found ?? null;
}

function header(
  mark: string | Buffer,
  { offset = 0, matches = () => true, length = () => 0 }: Partial<SessionHeader> = {},
): SessionHeader {
  return { mark: Buffer.from(mark as string, 'latin1'), offset, matches, length };
}

function pageBytes(head: Buffer): number {
  const segments = head[OGG_PAGE - 1] ?? 0;
  const lengths = head.subarray(OGG_PAGE, OGG_PAGE + segments);
  return OGG_PAGE + segments + lengths.reduce((sum, length) => sum + length, 0);
}

/** The first block of a WavPack file is at sample 0, and has the first of its channels. */
function isFirstBlock(head: Buffer): boolean {
  return head.length >= 28 && head.readUInt32LE(16) === 0 && (head.readUInt32LE(24) & 0x800) !== 0;
}

const text = (head: Buffer, length: number): string => head.toString('latin1', 0, length);
const number = (head: Buffer, at: number): number => (at + 4 <= head.length ? head.readUInt32BE(at) : 0);
const isRate = (hertz: number): boolean => hertz >= RATES.least && hertz <= RATES.most;
