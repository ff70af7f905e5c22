import { decodeHTMLStrict } from 'entities';
import { languageOf } from '../../language/language-codes.js';
import { foreignLanguage, memberAt } from '../foreign/json-values.js';
import { jsonMistakeOf } from '../json-syntax-reader.js';
import type { TranscriptDraft } from '../transcript-draft.js';
import { forEachLine, headOf, type TextPosition } from '../transcript-text.js';
import { voicePartsOf, type VoicePart } from './captions-markup.js';
import { CaptionsReader, type Cue } from './captions-reader.js';
import { hasArrow } from './captions-times.js';
import { JoinedFiles } from './vtt-joined.js';

const SIGNATURE = /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/;
/** A further header. What else begins like one is what somebody said. */
const FURTHER = /^\uFEFF?WEBVTT[ \t]*(?:-.*)?$/;
const MAY_BE_JOINED = /[\r\n]\uFEFF?WEBVTT/;
const HEADER_LINES = 100;
const LANGUAGE = /^Language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

const SKIPPED = /^(?:NOTE(?:[ \t]|$)|(?:STYLE|REGION)[ \t]*$)/;
/** What Microsoft Stream writes before each cue, and once in a file. */
const CONFIDENCE = /^NOTE[ \t]+Confidence:[ \t]*([01](?:\.\d{1,20})?)[ \t]*$/i;
const NOTED_LANGUAGE = /^NOTE[ \t]+language:[ \t]*([A-Za-z0-9-]{1,40})[ \t]*$/i;

/** `metadataContent` of a `callTranscript` of Microsoft Graph: the text of each cue is JSON. */
const FIRST_JSON = /-->.{0,200}(?:\r\n|\r|\n)\s{0,100}\{[^{}]{0,2000}"spokenText"\s{0,100}:/;
/** The identifier of a cue of Webex names the speaker, as in `1 "Ada Byron" (1234567890)`. */
const NAMED = String.raw`^\d{1,9} "([^\r\n]{0,200})" \(\d{1,20}\)[ \t]*`;
const IDENTIFIER = new RegExp(`${NAMED}$`);
const FIRST_IDENTIFIER = new RegExp(String.raw`${NAMED}(?:\r\n|\r|\n)[^\r\n]{0,200}-->`, 'm');

export const isVtt = (text: string): boolean => SIGNATURE.test(text);

/** Reads WebVTT, but a `<` that begins no tag, and an arrow after no time, are text. Returns the language. */
export function readVtt(text: string, draft: TranscriptDraft): string | null {
  const reader = new VttReader(text, draft);
  reader.read();
  return reader.language ?? reader.notedLanguage;
}

class VttReader extends CaptionsReader {
  language: string | null = null;
  notedLanguage: string | null = null;
  private readonly joined = MAY_BE_JOINED.test(this.text) ? new JoinedFiles() : null;
  private readonly isJson = FIRST_JSON.test(headOf(this.text));
  private readonly isNamed = FIRST_IDENTIFIER.test(headOf(this.text));

  protected partsOf(markup: string): VoicePart[] | null {
    if (!this.isJson) return voicePartsOf(markup);
    const cue: unknown = jsonMistakeOf(markup) ? null : JSON.parse(markup);
    const [voice, said] = [memberAt(cue, 'speakerName'), memberAt(cue, 'spokenText')];
    this.notedLanguage ??= foreignLanguage(memberAt(cue, 'spokenLanguage'));
    return typeof said === 'string' ? [{ voice: typeof voice === 'string' ? voice : '', text: said }] : null;
  }

  protected textOf(escaped: string): string {
    return this.isJson ? escaped : decodeHTMLStrict(escaped);
  }

  protected override voiceOf(name: string): string | null {
    return this.isNamed ? (IDENTIFIER.exec(name)?.[1] ?? null) : null;
  }

  protected override skips(line: string): boolean {
    return SKIPPED.test(line);
  }

  protected override skip(line: string): void {
    super.skip(line);
    const confidence = Number(CONFIDENCE.exec(line)?.[1]);
    if (confidence <= 1) this.confidence = confidence;
    this.notedLanguage ??= languageIn(NOTED_LANGUAGE, line);
  }

  protected override isHeader(line: string): boolean {
    return FURTHER.test(line);
  }

  /** A header ends at a blank line or at the first timing line. */
  protected override readHeader(header: TextPosition): TextPosition {
    const lines: string[] = [];
    let end = { at: this.text.length, line: header.line };
    forEachLine(this.text, header, (from, to, number, next) => {
      const line = this.text.slice(from, to);
      if (line.trim() === '') end = { at: next, line: number + 1 };
      else if (number > header.line && hasArrow(line)) end = { at: from, line: number };
      else return lines.length < HEADER_LINES ? lines.push(line) > 0 : true;
      return false;
    });
    for (const line of lines) this.language ??= languageIn(LANGUAGE, line);
    this.joined?.begin(lines);
    return end;
  }

  protected override placed(cue: Cue): Cue | string | null {
    return this.joined ? this.joined.placed(cue) : cue;
  }
}

function languageIn(pattern: RegExp, line: string): string | null {
  const given = pattern.exec(line)?.[1];
  return given === undefined ? null : languageOf(given);
}
