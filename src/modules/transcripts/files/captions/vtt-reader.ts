import { decodeHTMLStrict } from 'entities';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { forEachLine, type TextPosition } from './captions-lines.js';
import { hasArrow } from './captions-times.js';
import type { TranscriptDraft } from '../transcript-files-draft.js';
import { languageOf } from '../../../../platform/language/language-codes.js';
import type { TranscriptFormat } from '../transcript-format.js';

const SIGNATURE = /^WEBVTT(?:[ \t\r\n]|$)/;
const LANGUAGE = /^Language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

/** What Microsoft Stream writes before each cue, and once in a file. */
const CONFIDENCE = /^NOTE[ \t]+Confidence:[ \t]*([01](?:\.\d{1,20})?)[ \t]*$/i;
const NOTED_LANGUAGE = /^NOTE[ \t]+language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

const CUES: CaptionFormat = {
  partsOf: voicePartsOf,
  textOf: decodeHTMLStrict,
  skips: (line) => /^(?:NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$)/.test(line),
  confidenceOf: (line) => {
    const given = CONFIDENCE.exec(line)?.[1];
    return given === undefined || Number(given) > 1 ? null : Number(given);
  },
};

/** WebVTT as specified, except that a `<` that does not begin a tag is text, and so is an arrow not preceded by a time. */
export const WEBVTT: TranscriptFormat<string> = {
  name: 'vtt',
  title: 'WebVTT',
  description: {
    recognizedBy: '`WEBVTT` at its beginning',
    speaker: 'voice tags; `Name: text`, in at least half of the cues; `>> NAME: text`',
    times: 'start and end',
    confidence: 'of a `NOTE Confidence: 0.89` before a cue',
  },
  recognizes: (text) => SIGNATURE.test(text),
  read: readVtt,
};

function readVtt(text: string, draft: TranscriptDraft): string | null {
  const { language, end } = headerOf(text);
  let noted: string | null = null;
  const confidenceOf = (line: string): number | null => {
    const given = NOTED_LANGUAGE.exec(line)?.[1];
    if (given) noted ??= languageOf(given);
    return CUES.confidenceOf!(line);
  };
  readCues(text, end, { ...CUES, confidenceOf }, draft);
  return language ?? noted;
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
