import { describe, expect, it } from '@jest/globals';
import { read, segmentsOf } from '../../support/foreign-json.js';
import { AZURE, ELEVENLABS, FATHOM, FIREFLIES_API, SPEECHMATICS } from '../../support/speech-services.js';

describe('JSON of Fireflies', () => {
  const { sentences } = FIREFLIES_API.data.transcript;
  const expected = [
    [0.12, 1.5, 'Ada Byron', 'Good morning.', 1],
    [2, 2.8, 'Speaker 1', 'Hi.', 1],
  ];

  it.each([
    ['the reply', FIREFLIES_API],
    ['its data', FIREFLIES_API.data],
    ['the transcript', FIREFLIES_API.data.transcript],
    ['the sentences', sentences],
  ])('may be %s', (_, value) => {
    expect(segmentsOf(value)).toEqual(expected);
  });

  it('may have only some of the members', () => {
    const some = sentences.map(({ speaker_name, raw_text }, index) => ({
      speaker_name,
      raw_text,
      start_time: `00:0${index}`,
    }));
    expect(segmentsOf({ data: { transcript: { sentences: some } } })).toEqual([
      [0, 1, 'Ada Byron', 'good morning', 1],
      [1, 2, '', 'hi', 1],
    ]);
    const untimed = sentences.map(({ speaker_name, text }) => ({ speaker_name, text }));
    expect(() => read({ data: { transcript: { sentences: untimed } } })).toThrow(
      'data.transcript.sentences[0].start_time: must be a time',
    );
  });
});

describe('JSON of Fathom', () => {
  const expected = [
    [5, 3609, 'Ada Byron', 'Good morning.', 1],
    [3609, 3610, 'Grace', 'Hi.', 1],
  ];

  it.each([
    ['the reply', FATHOM],
    ['the list alone', FATHOM.transcript],
    ['a meeting, as webhooks send it', { title: 'Weekly', transcript_language: 'en', ...FATHOM }],
    [
      'of its SDK',
      FATHOM.transcript.map(({ speaker, ...one }) => ({
        ...one,
        speaker: { displayName: speaker.display_name },
      })),
    ],
  ])('may be %s', (_, value) => {
    expect(segmentsOf(value)).toEqual(expected);
  });
});

describe('JSON of Speechmatics', () => {
  it('is joined as its punctuation attaches, without the confidence of punctuation', () => {
    expect(read(SPEECHMATICS)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(SPEECHMATICS)).toEqual([
      [1, 1.9, 'S1', 'Good morning.', 0.85],
      [2, 2.6, 'S1', 'I said “hi”.', 0.9],
      [3, 3.5, '', 'Bye', 0.9],
    ]);
  });

  it('keeps channels that talk at the same time apart', () => {
    const [good, morning, stop] = SPEECHMATICS.results;
    const results = [good, morning, stop].flatMap((result) => [
      { ...result, channel: 'agent' },
      { ...result, channel: 'caller' },
    ]);
    expect(segmentsOf({ ...SPEECHMATICS, results })).toEqual([
      [1, 1.9, 'agent, S1', 'Good morning.', 0.85],
      [1, 1.9, 'caller, S1', 'Good morning.', 0.85],
    ]);
  });

  it.each([
    [{ transcription_config: { language: 'cmn' } }, 'zh'],
    [{ transcription_config: { language: 'ar_en' } }, 'ar'],
    [
      {
        transcription_config: { language: 'auto' },
        language_identification: { predicted_language: 'de' },
      },
      'de',
    ],
    [{ transcription_config: { language: 'auto' } }, 'en'],
    [undefined, 'en'],
  ])('says the language: %j', (metadata, language) => {
    expect(read({ ...SPEECHMATICS, metadata }).language).toBe(language);
  });
});

describe('JSON of Azure Speech', () => {
  it('is read by the best alternative of each phrase, with times in ticks or ISO 8601', () => {
    expect(read(AZURE)).toMatchObject({ format: 'json', language: 'en-US' });
    expect(segmentsOf(AZURE)).toEqual([
      [1, 2.1, 'Speaker 1', 'Good morning.', 0.9],
      [63.07, 64.07, 'Speaker 2', 'Hi.', 0.5],
    ]);
  });

  it('names the channel if there are several', () => {
    const recognizedPhrases = AZURE.recognizedPhrases.map((phrase, channel) => ({ ...phrase, channel }));
    expect(segmentsOf({ recognizedPhrases }).map(([, , speaker]) => speaker)).toEqual([
      'Channel 0, Speaker 1',
      'Channel 2, Speaker 2',
    ]);
  });

  it('may be that of the fast transcription', () => {
    const phrase = { offsetMilliseconds: 1000, durationMilliseconds: 500, text: 'Hi.', speaker: 1 };
    const phrases = [
      { ...phrase, locale: 'de-DE', confidence: 0.7 },
      { ...phrase, offsetMilliseconds: 2000, confidence: 0 },
    ];
    const value = { durationMilliseconds: 2500, combinedPhrases: [{ text: 'Hi. Hi.' }], phrases };
    expect(read(value).language).toBe('de-DE');
    expect(segmentsOf(value)).toEqual([
      [1, 1.5, 'Speaker 1', 'Hi.', 0.7],
      [2, 2.5, 'Speaker 1', 'Hi.', 1],
    ]);
  });

  it('is rejected, naming the path', () => {
    const [phrase] = AZURE.recognizedPhrases;
    const wrong = { ...phrase, offset: 'soon', offsetInTicks: null };
    expect(() => read({ recognizedPhrases: [phrase, wrong] })).toThrow(
      'recognizedPhrases[1].offset: must be a time',
    );
    expect(() => read({ recognizedPhrases: [{ ...phrase, nBest: [] }] })).toThrow(
      'recognizedPhrases[0].text: must be text',
    );
  });
});

describe('JSON of ElevenLabs', () => {
  const expected = [
    [1, 2, 'speaker_0', 'Good morning.', 0.9048],
    [2.1, 3, 'speaker_0', '(laughter)', 0.9048],
    [2.1, 3, 'speaker_1', 'Hi.', 0.9048],
  ];

  it('has spaces where it says, and words without times with the one before', () => {
    expect(read(ELEVENLABS)).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf(ELEVENLABS)).toEqual(expected);
  });

  it('may be that of a webhook', () => {
    const value = {
      type: 'speech_to_text_transcription',
      data: { request_id: 'x', transcription: ELEVENLABS },
    };
    expect(segmentsOf(value)).toEqual(expected);
    expect(read(value).language).toBe('en');
  });

  it('may have a transcript for each channel', () => {
    const { words } = ELEVENLABS;
    const unnamed = words.slice(0, 4).map((one) => ({ ...one, speaker_id: undefined }));
    const transcripts = [
      { channel_index: 0, language_code: 'de', words: [] },
      { channel_index: 1, words: unnamed },
    ];
    expect(read({ transcripts }).language).toBe('de');
    expect(segmentsOf({ transcripts })).toEqual([[1, 2, 'Channel 1', 'Good morning.', 0.9048]]);
  });

  it('may have words only, or be in a script without spaces', () => {
    const words = ['今日は。', 'OK', 'です'].map((text, at) => ({
      text,
      start: at,
      end: at + 1,
      type: 'word',
    }));
    expect(segmentsOf({ words }).map(([, , , text]) => text)).toEqual(['今日は。', 'OK です']);
    const spaced = [...words, { text: ' ', start: 3, end: 3, type: 'spacing' }];
    expect(segmentsOf({ words: spaced }).map(([, , , text]) => text)).toEqual(['今日は。', 'OKです']);
  });

  it('may be segmented', () => {
    const segments = [
      { text: 'Hi.', start_time: 1, end_time: 2, speaker: { id: 'speaker_0', name: 'Ada' }, words: [] },
    ];
    expect(read({ language_code: 'eng', segments })).toMatchObject({ format: 'json', language: 'en' });
    expect(segmentsOf({ segments })).toEqual([[1, 2, 'Ada', 'Hi.', 1]]);
  });
});
