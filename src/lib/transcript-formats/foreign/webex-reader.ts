import { readVtt, WEBVTT } from '../captions/vtt-reader.js';
import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';

const NAMED = String.raw`^\d{1,9} "([^\r\n]{0,200})" \(\d{1,20}\)[ \t]*`;
const IDENTIFIER = new RegExp(`${NAMED}$`);
const FIRST_IDENTIFIER = new RegExp(String.raw`${NAMED}(?:\r\n|\r|\n)[^\r\n]{0,200}-->`, 'm');

/** WebVTT of Webex: the identifier of a cue names the speaker, as in `1 "Ada Byron" (1234567890)`. */
export const WEBEX: ReadableFormat<string> = {
  name: 'webex',
  title: 'Webex',
  recognizes: (text) => WEBVTT.recognizes(text) && FIRST_IDENTIFIER.test(headOf(text)),
  read: (text, draft) => readVtt(text, draft, { voiceOf: (name) => IDENTIFIER.exec(name)?.[1] ?? null }),
};
