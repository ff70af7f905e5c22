import { readVtt, WEBVTT } from '../captions/vtt-reader.js';
import { jsonMistakeOf } from '../json-syntax-reader.js';
import { memberAt } from '../json-values.js';
import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { foreignLanguage } from './json-labels.js';

const FIRST_TEXT = /-->.{0,200}(?:\r\n|\r|\n)\s{0,100}\{[^{}]{0,2000}"spokenText"\s{0,100}:/;

/** `metadataContent` of a `callTranscript` of Microsoft Graph: WebVTT in which the text of each cue is JSON. */
export const TEAMS_METADATA: ReadableFormat<string> = {
  name: 'teams-metadata',
  title: 'Microsoft Graph',
  recognizes: (text) => WEBVTT.recognizes(text) && FIRST_TEXT.test(headOf(text)),
  read: (text, draft) => {
    let language: string | null = null;
    const partsOf = (markup: string) => {
      const cue: unknown = jsonMistakeOf(markup) ? null : JSON.parse(markup);
      const [name, said] = [memberAt(cue, 'speakerName'), memberAt(cue, 'spokenText')];
      if (typeof said !== 'string') return null;
      language ??= foreignLanguage(memberAt(cue, 'spokenLanguage'));
      return [{ voice: typeof name === 'string' ? name : '', text: said }];
    };
    return readVtt(text, draft, { partsOf, textOf: (plain) => plain }) ?? language;
  },
};
