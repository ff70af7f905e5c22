import { SIGNATURES, transportPackets, type Signature } from './signatures.js';
import { textTypeOf } from './text-type.js';

/** `file-type` takes bytes that are missing before this for zeros. */
const LEAST_BYTES = 16;
/** Types of audio and video that do not say so in their name. */
const MEDIA = new Set([
  'application/mxf',
  'application/ogg',
  'application/vnd.ms-asf',
  'application/vnd.rn-realmedia',
  'image/mj2',
]);
/** Notes and instruments, from which a synthesizer makes sound. */
const SCORES = new Set(['audio/midi', 'audio/x-it', 'audio/x-s3m', 'audio/x-xm']);

/**
 * The media type of a file, from its first bytes and without parameters; null if it is not known. Texts are only
 * detected once there are `enough` bytes (`HEAD_SIZE`, or the whole file), as the first few of many formats are
 * letters.
 */
export async function detectFileType(head: Uint8Array, enough: boolean): Promise<string | null> {
  if (!enough && head.length < LEAST_BYTES) return null;
  const type = (await signedType(head)) ?? (await mediaBehindZeros(head));
  // Text may happen to match: "the free" is how a QuickTime file may begin.
  const mayBeText = type === null || type === 'application/xml' || isMediaType(type);
  return enough && mayBeText ? (textTypeOf(head) ?? type) : type;
}

/** Whether files of this type contain audio or video. */
export const isMediaType = (type: string): boolean =>
  MEDIA.has(type) || (/^(audio|video)\//.test(type) && !SCORES.has(type));

export function leadingZeros(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? bytes.length : first;
}

/** Some encoders and damaged disks write zeros first. */
async function mediaBehindZeros(head: Uint8Array): Promise<string | null> {
  const zeros = leadingZeros(head);
  const type = zeros > 0 ? await signedType(head.subarray(zeros)) : null;
  return type !== null && isMediaType(type) ? type : null;
}

async function signedType(bytes: Uint8Array): Promise<string | null> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const signature = SIGNATURES.find(({ at }) => matches(text, at));
  if (signature) return signature.type;
  // It throws on truncated or damaged archives.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (found) return found.mime.split(';')[0]!.toLowerCase();
  return transportPackets(bytes) ? 'video/mp2t' : null;
}

const matches = (text: string, at: Signature['at']): boolean =>
  Object.entries(at).every(([offset, part]) => text.startsWith(part, Number(offset)));
