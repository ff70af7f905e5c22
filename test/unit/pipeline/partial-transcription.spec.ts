import { describe, expect, it } from '@jest/globals';
import type { Heard } from '../../../src/modules/pipeline/transcription/openai-reply.js';
import { PartialTranscription } from '../../../src/modules/pipeline/transcription/partial-transcription.js';
import type { SpeechDraft as Draft } from '../../../src/lib/speech/heard-speech.js';

const heard = (language: string, ...texts: string[]): Heard => ({
  language,
  confidenceKnown: true,
  segments: texts.map((text, index) => ({
    start: index,
    end: index + 1,
    text,
    speaker: '',
    confidence: 0.9,
  })),
});

const [FIRST, SECOND, THIRD] = [heard('en', 'one', 'two'), heard('de'), heard('en', 'three')];

/** What is saved when parts come in this order. */
async function saved(parts: readonly [number, Heard][], draft: Draft | null = null): Promise<Draft[]> {
  const drafts: Draft[] = [];
  const partial = new PartialTranscription(3, draft);
  for (const [index, part] of parts) {
    await partial.add(index, part, async (next) => void drafts.push(next));
  }
  return drafts;
}

const textsOf = ({ segments }: Draft): string[] => segments.map(({ text }) => text);

describe('a partial transcription', () => {
  it('saves the parts up to the first one that is missing, and counts all', async () => {
    const drafts = await saved([
      [1, SECOND],
      [0, FIRST],
      [2, THIRD],
    ]);
    expect(drafts.map(textsOf)).toEqual([[], ['one', 'two'], ['one', 'two', 'three']]);
    expect(drafts.map(({ progress }) => progress)).toEqual([1 / 3, 2 / 3, 1]);
  });

  it('continues with the parts of a draft, also after it was stored as JSON', async () => {
    const [, , draft] = await saved([
      [2, THIRD],
      [0, FIRST],
      [1, SECOND],
    ]);
    const partial = new PartialTranscription(3, JSON.parse(JSON.stringify(draft)) as Draft);
    expect([0, 1, 2, 3].map((index) => partial.find(index))).toEqual([FIRST, SECOND, THIRD, null]);
  });

  it.each([
    ['of another transcriber', { positions: [12], speechSeconds: 10 }],
    [
      'of another number of parts',
      { parts: 4, done: [{ language: 'en', confidenceKnown: true, segments: 2 }] },
    ],
    ['without a state', null],
  ])('begins anew with a draft %s', (_, state) => {
    const partial = new PartialTranscription(3, { progress: 0.3, segments: FIRST.segments, state });
    expect(partial.find(0)).toBeNull();
  });
});
