import { listAt, memberAt } from '../json-values.js';
import type { ReadableFormat } from '../transcript-draft.js';
import { CLOCK, foreignLanguage, readSegments, speakerLabel, type SegmentShape } from './json-segments.js';

const SAID: SegmentShape = { start: 'timestamp', end: undefined, text: 'text', unit: CLOCK };
const LISTS = ['transcript', 'data.transcript', ''];
const NAME = 'speaker.display_name|speaker.displayName|speaker';

/** Transcripts of the API of Fathom, alone or within a meeting, as its webhooks send them. */
export const FATHOM: ReadableFormat<unknown> = {
  name: 'fathom',
  title: 'Fathom',
  recognizes: (file) => listAt(file, LISTS, isSaid) !== null,
  read: (file, draft) => {
    const { path, items } = listAt(file, LISTS, isSaid)!;
    readSegments(items, path, SAID, draft, (item) => ({
      speaker: speakerLabel(memberAt(item, NAME)),
      confidence: undefined,
    }));
    return foreignLanguage(memberAt(file, 'transcript_language'));
  },
};

const isSaid = (item: unknown): boolean =>
  typeof memberAt(item, SAID.start) === 'string' && typeof memberAt(item, NAME) === 'string';
