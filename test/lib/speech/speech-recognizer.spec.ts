import { describe, expect, it } from '@jest/globals';
import { HeardSpeech, type SpeechDraft } from '../../../src/lib/speech/heard-speech.js';
import type { RecognizerResult } from '../../../src/lib/speech/sherpa.js';
import { recognize } from '../../../src/lib/speech/speech-recognizer.js';

/** What is recognized, from 10 s to 16 s with a pause at 13 s, by a model that replies like this. */
async function recognized(result: RecognizerResult) {
  const recognizer = {
    createStream: () => ({ acceptWaveform: () => undefined }),
    decodeAsync: () => Promise.resolve(result),
  };
  const spans = [
    { start: 10, end: 12.8 },
    { start: 13.2, end: 16 },
  ];
  const passage = { audio: { start: 10, end: 16 }, spans };
  return (await recognize(recognizer, passage, new Float32Array(0), 'en')).segments;
}

describe('the words of a segment', () => {
  it('begin where the model says, counted from the beginning of the segment', async () => {
    const segments = await recognized({
      text: 'Are you sure? Yesterday, yes.',
      tokens: [' Are', ' you', ' su', 're', '?', ' Yester', 'day', ',', ' yes', '.'],
      timestamps: [0.1, 0.5, 1, 1.4, 2.7, 3.3, 3.7, 4, 4.5, 5],
    });
    expect(segments.map(({ text, words }) => [text, words])).toEqual([
      [
        'Are you sure?',
        [
          { position: 0, time: 10.1 },
          { position: 4, time: 10.5 },
          { position: 8, time: 11 },
        ],
      ],
      [
        'Yesterday, yes.',
        [
          { position: 0, time: 13.3 },
          { position: 11, time: 14.5 },
        ],
      ],
    ]);
  });

  it('are characters in languages without spaces', async () => {
    const [segment] = await recognized({ text: '你好', tokens: ['你', '好'], timestamps: [1, 2] });
    expect(segment?.words).toEqual([
      { position: 0, time: 11 },
      { position: 1, time: 12 },
    ]);
  });

  it('are unknown when the model gives no times', async () => {
    const segments = await recognized({ text: 'Are you sure? Yes.' });
    expect(segments.map(({ words }) => words)).toEqual([[]]);
  });
});

describe('the words of what has been heard', () => {
  const audio = {
    path: 'audio.s16le',
    voices: [{ path: 'audio.s16le', speaker: '' }],
    rate: 16_000,
    duration: 10,
    levels: new Float32Array(0),
    levelSeconds: 0.05,
  } as const;
  const words = [
    { position: 0, time: 1.5 },
    { position: 5, time: 2.25 },
  ];
  const said = (text: string) => ({ start: 0, end: 4, text, confidence: null, words });
  const heardOf = (draft: SpeechDraft | null, keepsWords: boolean): HeardSpeech => {
    const heard = new HeardSpeech(audio, draft, keepsWords);
    const message = {
      kind: 'heard',
      voice: 0,
      position: 4,
      isProvisional: false,
      speechSeconds: 4,
      wordlessSeconds: 0,
    } as const;
    if (draft === null) {
      heard.add({ ...message, language: null, segments: [said('Yes, sure.'), said('Yes,\n sure.')] });
    }
    return heard;
  };
  const shown = ({ segments, words: known }: HeardSpeech) =>
    segments.map((segment) => [segment.text, known.get(segment)]);

  it('are unknown when the text is changed to be stored', () => {
    expect(shown(heardOf(null, true))).toEqual([
      ['Yes, sure.', words],
      ['Yes, sure.', undefined],
    ]);
  });

  it('are left to the attempt that continues, and only at the end of one', async () => {
    const heard = heardOf(null, true);
    const drafts: SpeechDraft[] = [];
    const write = (draft: SpeechDraft) =>
      Promise.resolve(void drafts.push(JSON.parse(JSON.stringify(draft))));
    heard.save(write);
    await heard.finish(write);
    expect(drafts.map(({ state }) => (state as { words?: unknown }).words)).toEqual([
      undefined,
      [[0, 1500, 5, 2250], []],
    ]);
    expect(shown(heardOf(drafts[1]!, true))).toEqual(shown(heard));
  });

  it('are not kept when they are of no use', async () => {
    const heard = heardOf(null, false);
    const states: unknown[] = [];
    await heard.finish(({ state }) => Promise.resolve(void states.push(state)));
    expect(heard.words.size).toBe(0);
    expect(states).toEqual([heard.state]);
    expect(heard.state).not.toHaveProperty('words');
  });
});
