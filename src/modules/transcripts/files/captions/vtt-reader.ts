import { decodeHTMLStrict } from 'entities';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { forEachLine, type TextPosition } from './captions-lines.js';
import { hasArrow } from './captions-times.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import { languageOf } from '../../../../platform/language/language-codes.js';
import type { ReadTranscript } from '../transcript-files.js';

const SIGNATURE = /^WEBVTT(?:[ \t\r\n]|$)/;
const LANGUAGE = /^Language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

/** What Microsoft Stream writes before each cue, and once in a file. */
const CONFIDENCE = /^NOTE[ \t]+Confidence:[ \t]*([01](?:\.\d{1,20})?)[ \t]*$/i;
const NOTED_LANGUAGE = /^NOTE[ \t]+language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

const WEBVTT: CaptionFormat = {
  partsOf: voicePartsOf,
  textOf: decodeHTMLStrict,
  skips: (line) => /^(?:NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$)/.test(line),
  confidenceOf: (line) => {
    const given = CONFIDENCE.exec(line)?.[1];
    return given === undefined || Number(given) > 1 ? null : Number(given);
  },
};

export function isVtt(text: string): boolean {
  return SIGNATURE.test(text);
}

/** Reads WebVTT as specified, except that a `<` that does not begin a tag is text, and so is an arrow not preceded by a time. */
export function readVtt(text: string, draft: TranscriptDraft): ReadTranscript {
  const { language, end } = headerOf(text);
  let noted: string | null = null;
  const confidenceOf = (line: string): number | null => {
    const given = NOTED_LANGUAGE.exec(line)?.[1];
    if (given) noted ??= languageOf(given);
    return WEBVTT.confidenceOf!(line);
  };
  readCues(text, end, { ...WEBVTT, confidenceOf }, draft);
  return draft.done('vtt', language ?? noted);
}

/** The header ends at a blank line or at the first timing line. */
function headerOf(text: string): { language: string | null; end: TextPosition } {
  let language: string | null = null;
  let end: TextPosition = { at: text.length, line: 1 };
  forEachLine(text, { at: 0, line: 1 }, (from, to, number, next) => {
    const line = text.slice(from, to);
    const isEnd = line.trim() === '';
    if (isEnd || (number > 1 && hasArrow(line))) {
      end = isEnd ? { at: next, line: number + 1 } : { at: from, line: number };
      return false;
    }
    const given = LANGUAGE.exec(line)?.[1];
    if (given) language ??= languageOf(given);
    return true;
  });
  return { language, end };
}
