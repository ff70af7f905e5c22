import { decodeHTMLStrict } from 'entities';
import { hasTimesOfTeams } from '../foreign/teams-reader.js';
import { headOf } from '../transcript-text.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { withoutJoiners } from './captions-joiners.js';
import { voicePartsOf } from './captions-markup.js';
import { readCues, type CaptionFormat } from './captions-reader.js';

const TIMING_LINE = /^[ \t]{0,20}\d{1,9}:[\d:.,]{1,20}[ \t]{0,20}-->/m;
/** Overrides such as `{\an8}`, which position and style a cue. */
const OVERRIDES = /\{\\[^{}]*\}/g;

export const SRT_CUES: CaptionFormat = {
  partsOf: (markup) => voicePartsOf(markup.replace(OVERRIDES, '')),
  textOf: (escaped) => withoutJoiners(decodeHTMLStrict(escaped)),
};

export const SRT: ReadableFormat<string> = {
  name: 'srt',
  title: 'SRT',
  recognizes: (text) => TIMING_LINE.test(headOf(text)) && !hasTimesOfTeams(text),
  read: (text, draft) => {
    readCues(text, SRT_CUES, draft);
    return null;
  },
};
