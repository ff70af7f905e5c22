import { decodeHTMLStrict } from 'entities';
import { voicePartsOf, type VoicePart } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';
import { forEachLine, type TextPosition } from './captions-lines.js';
import { JoinedParts, timestampMapOf, type TimestampMap } from './captions-joined.js';
import { hasArrow } from './captions-times.js';
import { foreignLanguage } from '../foreign/json-labels.js';
import { jsonMistakeOf } from '../json-syntax-reader.js';
import { memberAt } from '../json-values.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { headOf } from '../transcript-text.js';
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

/** `metadataContent` of a `callTranscript` of Microsoft Graph: the text of each cue is JSON. */
const FIRST_JSON = /-->.{0,200}(?:\r\n|\r|\n)\s{0,100}\{[^{}]{0,2000}"spokenText"\s{0,100}:/;
/** The identifier of a cue of Webex names the speaker, as in `1 "Ada Byron" (1234567890)`. */
const NAMED = String.raw`^\d{1,9} "([^\r\n]{0,200})" \(\d{1,20}\)[ \t]*`;
const IDENTIFIER = new RegExp(`${NAMED}$`);
const FIRST_IDENTIFIER = new RegExp(String.raw`${NAMED}(?:\r\n|\r|\n)[^\r\n]{0,200}-->`, 'm');

export const isVtt = (text: string): boolean => SIGNATURE.test(text);

/**
 * Reads WebVTT as specified, except that a `<` that does not begin a tag is text, and so is an arrow after no time.
 * Returns the language.
 */
export function readVtt(text: string, draft: TranscriptDraft): string | null {
  let [language, noted]: [string | null, string | null] = [null, null];
  const joined = MAY_BE_JOINED.test(text) ? new JoinedParts() : null;
  const partsIn = (markup: string): VoicePart[] | null => {
    const cue: unknown = jsonMistakeOf(markup) ? null : JSON.parse(markup);
    const [voice, said] = [memberAt(cue, 'speakerName'), memberAt(cue, 'spokenText')];
    noted ??= foreignLanguage(memberAt(cue, 'spokenLanguage'));
    return typeof said === 'string' ? [{ voice: typeof voice === 'string' ? voice : '', text: said }] : null;
  };
  const head = headOf(text);
  const isNamed = FIRST_IDENTIFIER.test(head);
  const format: CaptionFormat = {
    ...CUES,
    ...(FIRST_JSON.test(head) ? { partsOf: partsIn, textOf: (plain) => plain } : {}),
    voiceOf: (name) => (isNamed ? (IDENTIFIER.exec(name)?.[1] ?? null) : null),
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
