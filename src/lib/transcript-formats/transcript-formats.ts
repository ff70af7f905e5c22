import { HEAD_SIZE, textTypeOf } from '../file-types/text-type.js';
import { nameOfType } from '../file-types/type-names.js';
import { readSrt } from './captions/srt-reader.js';
import { isVtt, readVtt } from './captions/vtt-reader.js';
import { readAnyJson } from './foreign/json-transcript.js';
import { AFTER_END, jsonMistakeOf, listOfLines, withoutNonFinite } from './json-syntax-reader.js';
import { READ_FORMATS, TEXT_FORMATS, type FileKind } from './read-formats.js';
import { TranscriptFileError, UnsupportedTranscriptError } from './transcript-file.error.js';
import { charsetOf, decodeFile, isDeclared, requireType } from './transcript-decoding.js';
import { TranscriptDraft } from './transcript-draft.js';
import type { ReadTranscript } from './transcript.js';
import { isTie, likeBoth } from './turns/turns-reader.js';

/**
 * Transcript formats: takes the bytes of a transcript as meeting services and speech recognizers write it, in one of
 * the formats of `read-formats.ts`, and gives its segments (`readTranscriptFile`). `writeTranscript` in
 * `transcript-writer.ts` takes segments, and gives the pieces of a file in one of the formats of `written-formats.ts`.
 * Time and memory are linear in the size of the file; who reads untrusted files does so in a process with limits
 * nevertheless. Each file has a process of its own, so what only some kinds of files need is loaded with these: it takes
 * most of the process's time.
 */

export interface ReadingOptions {
  /** A media type as in HTTP; if it names no supported format, the content decides. */
  readonly contentType?: string | undefined;
  /** Skips what cannot be read and reports it, instead of refusing the file. */
  readonly lenient?: boolean;
}

/** Throws `UnsupportedTranscriptError` for other kinds, and `TranscriptFileError`; if lenient, if nothing is read. */
export async function readTranscriptFile(
  bytes: Uint8Array,
  options: ReadingOptions = {},
): Promise<ReadTranscript> {
  if (isZip(bytes)) {
    requireType('docx', options.contentType);
    const { textOfDocx } = await import('./foreign/docx-text.js');
    return readText(await textOfDocx(bytes), { ...options, contentType: undefined }, true);
  }
  const unread = await unreadTypeOf(bytes, options.contentType);
  if (unread !== null)
    throw new UnsupportedTranscriptError(`${nameOfType(unread)} is not read; send ${READ_FORMATS}`);
  return readTranscriptText(bytes, options);
}

/** The same for files that are text: everything except Word documents. */
export const readTranscriptText = (bytes: Uint8Array, options: ReadingOptions = {}): ReadTranscript =>
  readText(decodeFile(bytes, options.contentType, options.lenient ?? false), options, false);

function readText(
  text: string,
  { contentType, lenient = false }: ReadingOptions,
  isDocument: boolean,
): ReadTranscript {
  const found = formatOf(text, isDeclared('srt', contentType) || /-->/.test(text));
  requireType(found?.kind ?? 'text', contentType);
  if (text.trim() === '') throw empty('it is blank');
  if (!found)
    throw new UnsupportedTranscriptError(
      `${isDocument ? 'a Word document' : 'text'} that is no transcript known to this service is not read; send ${READ_FORMATS}`,
    );
  const { kind, name, read: readBy } = found;
  const draft = new TranscriptDraft(lenient);
  const read = kind === 'json' ? readJson(text, draft) : draft.done(name, readBy(draft));
  if (read.segments.length > 0) return read;
  const parts = kind === 'vtt' || kind === 'srt' ? 'cue' : 'segment';
  throw empty(
    draft.found === 0 ? `there is no ${parts} in it` : `none of its ${parts}s contains text (${draft.found})`,
  );
}

/** A text may begin with a time or name in brackets. */
const BRACKETED = /^\s*\[(?:\d{1,3}:\d|[^\]\s"{[][^\]\r\n]{0,200}\][ \t]+\S)/;

interface FoundFormat {
  readonly kind: FileKind;
  readonly name: string;
  readonly read: (draft: TranscriptDraft) => string | null;
}

/** What a text is; JSON has no format before it is parsed. `isSrt`: it is SRT if it is nothing else, with a mistake in it. */
function formatOf(text: string, isSrt: boolean): FoundFormat | null {
  if (/^\s*[[{]/.test(text) && !BRACKETED.test(text)) return { kind: 'json', name: 'json', read: () => null };
  if (isVtt(text)) return { kind: 'vtt', name: 'vtt', read: (draft) => readVtt(text, draft) };
  const [best, second] = TEXT_FORMATS.flatMap(({ name, title, match }) => {
    const found = match(text);
    return found && found.points > 0 ? [{ name, title, ...found }] : [];
  }).sort((one, other) => other.points - one.points);
  if (best && second && isTie(best.points, second.points)) throw likeBoth(best.title, second.title);
  const kind = best && best.name !== 'srt' ? 'text' : 'srt';
  if (best) return { kind, name: best.name, read: best.read };
  return isSrt ? { kind, name: 'srt', read: (draft) => readSrt(text, draft) } : null;
}

/** Parses JSON. Malformed JSON is refused as a whole, because nothing after a missing bracket can be interpreted. */
function readJson(text: string, draft: TranscriptDraft): ReadTranscript {
  const given = withoutNonFinite(text);
  const first = jsonMistakeOf(given);
  const finite = first?.reason === AFTER_END ? listOfLines(given) : given;
  const mistake = finite === given ? first : jsonMistakeOf(finite);
  if (mistake) throw new TranscriptFileError(mistake.place, `not valid JSON, ${mistake.reason}`);
  return readJsonValue(JSON.parse(finite), draft);
}

export const readJsonValue = (value: unknown, draft = new TranscriptDraft(false)): ReadTranscript =>
  draft.done('json', readAnyJson(value, draft));

const empty = (reason: string): TranscriptFileError =>
  new TranscriptFileError('', `contains no segment: ${reason}`);

/** Kinds of text that are not transcripts. */
const UNREAD_TEXTS = new Set(['text/html', 'application/xml', 'image/svg+xml', 'text/x-ssa']);
/** PDF, RTF and PostScript may be text throughout. */
const DOCUMENT = /^(?:%PDF-|\{\\rtf|%!PS)/;

/** The media type of a file of a kind that is not read; null if it may be a transcript. */
async function unreadTypeOf(bytes: Uint8Array, contentType: string | undefined): Promise<string | null> {
  if (charsetOf(contentType) !== null) return null;
  const head = bytes.subarray(0, HEAD_SIZE);
  const text = textTypeOf(head);
  if (text !== null && UNREAD_TEXTS.has(text)) return text;
  const isText = text !== null && !DOCUMENT.test(Buffer.from(head.subarray(0, 8)).toString('latin1'));
  if (isText) return null;
  const { detectFileType } = await import('../file-types/file-types.js');
  return detectFileType(head, true);
}

/** Whether a file is a ZIP archive, as Word documents are. */
const isZip = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
