import { TextDecoder } from 'node:util';
import { placeOf } from './captions/captions-reader.js';
import { quoteForMessage } from '../../../platform/text.js';
import type { ReadableFormat } from './transcript-files.js';
import { isVtt } from './captions/vtt-reader.js';
import { TranscriptFileError } from './transcript-file.error.js';

const FORMAT_OF: Readonly<Record<string, ReadableFormat>> = {
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'application/srt': 'srt',
  'text/srt': 'srt',
  'application/json': 'json',
};

const NAMES: Readonly<Record<ReadableFormat, string>> = { vtt: 'WebVTT', srt: 'SRT', json: 'JSON' };

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,60})/i;

const BYTE_ORDER_MARKS: readonly (readonly [label: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Decodes a file by its byte order mark, else the `charset` of its type, else as UTF-8. `lenient` replaces invalid bytes by U+FFFD. */
export function decodeFile(bytes: Uint8Array, contentType: string | undefined, lenient: boolean): string {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  const label = marked?.[0] ?? CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  const decoder = decoderOf(label, !lenient);
  try {
    return decoder.decode(bytes);
  } catch {
    const place = placeOf(lineOfFirst('\uFFFD', new TextDecoder(label).decode(bytes)));
    throw new TranscriptFileError([{ place, reason: `is not text in ${label}` }]);
  }
}

/** The declared type if there is one, which the text must match. */
export function formatOf(text: string, contentType: string | undefined): ReadableFormat {
  const declared = FORMAT_OF[contentType?.split(';', 1)[0]!.trim().toLowerCase() ?? ''];
  const found = formatOfText(text);
  if (!declared || declared === found) return found;
  const reason = `is not ${NAMES[declared]}, although its Content-Type says so`;
  throw new TranscriptFileError([{ place: placeOf(1), reason }]);
}

/** Text that does not begin like another format is taken for SRT, and refused when it is read if it is not. */
function formatOfText(text: string): ReadableFormat {
  if (isVtt(text)) return 'vtt';
  return /^\s*[[{]/.test(text) ? 'json' : 'srt';
}

function decoderOf(label: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    throw new TranscriptFileError([
      { place: 'charset', reason: `${quoteForMessage(label)} is not a known encoding` },
    ]);
  }
}

function lineOfFirst(character: string, text: string): number {
  const before = text.slice(0, Math.max(0, text.indexOf(character)));
  return (before.match(/\r\n|\r|\n/g)?.length ?? 0) + 1;
}
