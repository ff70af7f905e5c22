import { expect, it } from '@jest/globals';
import type { SpeechDraft } from '../../../src/lib/speech/heard-speech.js';
import { draftOf, withTrack } from '../../../src/modules/pipeline/transcription/live/live-draft.js';

const heard = (state: number, ...said: [number, string][]): SpeechDraft => ({
  progress: 0,
  segments: said.map(([start, text]) => ({ start, end: start + 1, text, speaker: 'Ada', confidence: 1 })),
  state: { state },
});
const texts = (draft: SpeechDraft | null) => draft?.segments.map(({ text }) => text);
/** As it is stored. */
const stored = (draft: SpeechDraft) => JSON.parse(JSON.stringify(draft)) as SpeechDraft;

it('the words of tracks that are heard in turns are in one draft, in the order of time', () => {
  const first = stored(withTrack('a', heard(1, [0, 'a0'], [4, 'a4']), null));
  const both = stored(withTrack('b', heard(2, [2, 'b2'], [6, 'b6']), first));
  expect(texts(both)).toEqual(['a0', 'b2', 'a4', 'b6']);
  const next = stored(withTrack('a', heard(3, [0, 'a0'], [5, 'a5']), both));
  expect(texts(next)).toEqual(['a0', 'b2', 'a5', 'b6']);
  expect(draftOf('b', next)).toEqual(heard(2, [2, 'b2'], [6, 'b6']));
  expect(draftOf('a', next)?.state).toEqual({ state: 3 });
  expect(draftOf('c', next)).toBeNull();
});

it('what was heard of the meeting as a whole is dropped once a track is heard', () => {
  const whole = heard(1, [0, 'everyone']);
  expect(draftOf('a', whole)).toBeNull();
  expect(texts(withTrack('a', heard(2, [1, 'a1']), whole))).toEqual(['a1']);
});
