import { decodeHTMLStrict } from 'entities';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { forEachLine, type TextPosition } from './captions-lines.js';
import { JoinedParts, timestampMapOf, type TimestampMap } from './captions-joined.js';
import { hasArrow } from './captions-times.js';
import type { TranscriptDraft, ReadableFormat } from '../transcript-draft.js';
import { languageOf } from '../../language/language-codes.js';

const SIGNATURE = /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/;
/** A further header. What else begins like one is what somebody said. */
const FURTHER = /^\uFEFF?WEBVTT[ \t]*(?:-.*)?$/;
const MAY_BE_JOINED = /[\r\n]\uFEFF?WEBVTT/;
/** Lines of a header that are read. */
const HEADER_LINES = 100;
const LANGUAGE = /^Language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

/** What Microsoft Stream writes before each cue, and once in a file. */
const CONFIDENCE = /^NOTE[ \t]+Confidence:[ \t]*([01](?:\.\d{1,20})?)[ \t]*$/i;
const NOTED_LANGUAGE = /^NOTE[ \t]+language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

const CUES: CaptionFormat = {
  partsOf: voicePartsOf,
  textOf: decodeHTMLStrict,
  isHeader: (line) => FURTHER.test(line),
  skips: (line) => /^(?:NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$)/.test(line),
  confidenceOf: (line) => {
    const given = CONFIDENCE.exec(line)?.[1];
    return given === undefined || Number(given) > 1 ? null : Number(given);
  },
};

/** WebVTT as specified, except that a `<` that does not begin a tag is text, and so is an arrow after no time. */
export const WEBVTT: ReadableFormat<string> = {
  name: 'vtt',
  title: 'WebVTT',
  recognizes: (text) => SIGNATURE.test(text),
  read: (text, draft) => readVtt(text, draft),
};

/** `cues` replaces how parts of a cue are read. */
export function readVtt(
  text: string,
  draft: TranscriptDraft,
  cues: Partial<CaptionFormat> = {},
): string | null {
  let [language, noted]: [string | null, string | null] = [null, null];
  const joined = MAY_BE_JOINED.test(text) ? new JoinedParts() : null;
  const format: CaptionFormat = {
    ...CUES,
    ...cues,
    confidenceOf: (line) => {
      noted ??= languageIn(NOTED_LANGUAGE, line);
      return CUES.confidenceOf!(line);
    },
    readHeader: (at) => {
      const { lines, end } = headerOf(text, at);
      for (const line of lines) language ??= languageIn(LANGUAGE, line);
      joined?.begin(lines.reduce<TimestampMap | null>((map, line) => map ?? timestampMapOf(line), null));
      return end;
    },
    placed: (cue) => (joined ? joined.placed(cue) : cue),
  };
  readCues(text, format, draft);
  return language ?? noted;
}

function languageIn(pattern: RegExp, line: string): string | null {
  const given = pattern.exec(line)?.[1];
  return given === undefined ? null : languageOf(given);
}

/** The lines of a header, which ends at a blank line or at the first timing line, and where it ends. */
function headerOf(text: string, { at, line: first }: TextPosition): { lines: string[]; end: TextPosition } {
  const lines: string[] = [];
  let end: TextPosition = { at: text.length, line: first };
  forEachLine(text, { at, line: first }, (from, to, number, next) => {
    const line = text.slice(from, to);
    const isEnd = line.trim() === '';
    if (isEnd || (number > first && hasArrow(line))) {
      end = isEnd ? { at: next, line: number + 1 } : { at: from, line: number };
      return false;
    }
    if (lines.length < HEADER_LINES) lines.push(line);
    return true;
  });
  return { lines, end };
}
