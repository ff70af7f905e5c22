import { TextDecoder } from 'node:util';
import { markedEncoding } from '../file-types/text-type.js';
import { placeOf } from './transcript-text.js';
import { quoteForMessage } from '../text.js';
import { DOCX_TYPE } from './transcript.js';
import { TranscriptFileError } from './transcript-file.error.js';
import type { FileKind } from './read-formats.js';

const DECLARED: Readonly<Record<string, FileKind | 'docx'>> = {
  'text/vtt': 'vtt',
  'application/x-subrip': 'srt',
  'application/srt': 'srt',
  'text/srt': 'srt',
  'application/json': 'json',
  [DOCX_TYPE]: 'docx',
};

const NAMES: Readonly<Record<FileKind | 'docx', string>> = {
  vtt: 'WebVTT',
  srt: 'SRT',
  json: 'JSON',
  text: 'text',
  docx: 'a Word document',
};

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]{1,60})/i;

/** Decodes by byte order mark, else the type's `charset`, else as UTF-8. `lenient` makes invalid bytes U+FFFD. */
export function decodeFile(bytes: Uint8Array, contentType: string | undefined, lenient: boolean): string {
  const label = markedEncoding(bytes) ?? charsetOf(contentType) ?? 'utf-8';
  const decoder = decoderOf(label, !lenient);
  try {
    return decoder.decode(bytes);
  } catch {
    const place = placeOf(lineOfFirst('\uFFFD', new TextDecoder(label).decode(bytes)));
    const advice = 'save the file in UTF-8, or send its encoding as the charset of its Content-Type';
    throw new TranscriptFileError(place, `is not text in ${label}; ${advice}`);
  }
}

/** Throws if the type declares another kind of file. Types that do not name one of them leave it to the content. */
export function requireType(found: FileKind | 'docx', contentType: string | undefined): void {
  const declared = declaredBy(contentType);
  if (!declared || declared === found) return;
  throw new TranscriptFileError(placeOf(1), `is not ${NAMES[declared]}, although its Content-Type says so`);
}

export const isDeclared = (kind: FileKind, contentType: string | undefined): boolean =>
  declaredBy(contentType) === kind;

const declaredBy = (contentType: string | undefined): FileKind | 'docx' | undefined =>
  DECLARED[contentType?.split(';', 1)[0]!.trim().toLowerCase() ?? ''];

/** The charset that a type names; null if it names none. */
export const charsetOf = (contentType: string | undefined): string | null =>
  CHARSET.exec(contentType ?? '')?.[1] ?? null;

function decoderOf(label: string, fatal: boolean): TextDecoder {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    const advice = 'send the file in UTF-8, or name one such as windows-1252';
    throw new TranscriptFileError('charset', `${quoteForMessage(label)} is not a known encoding; ${advice}`);
  }
}

function lineOfFirst(character: string, text: string): number {
  const before = text.slice(0, Math.max(0, text.indexOf(character)));
  return (before.match(/\r\n|\r|\n/g)?.length ?? 0) + 1;
}
