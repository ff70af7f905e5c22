/** Whisper by Hugging Face's Transformers, with `return_timestamps=True`. */
export const WHISPER_CHUNKS = {
  text: ' Good morning. Hi there.',
  chunks: [
    { timestamp: [0, 2.5], text: ' Good morning.' },
    { timestamp: [2.5, null], text: ' Hi there, everybody.' },
  ],
};

/** https://docs.fireflies.ai/graphql-api/query/transcript */
export const FIREFLIES_API = {
  data: {
    transcript: {
      id: 'x1',
      title: 'Weekly',
      audio_url: 'https://cdn.fireflies.example/audio.mp3',
      sentences: [
        {
          index: 0,
          speaker_name: 'Ada Byron',
          speaker_id: 0,
          text: 'Good morning.',
          raw_text: 'good morning',
          start_time: 0.12,
          end_time: 1.5,
        },
        {
          index: 1,
          speaker_name: null,
          speaker_id: 1,
          text: 'Hi.',
          raw_text: 'hi',
          start_time: '2',
          end_time: '2.8',
        },
      ],
    },
  },
};

/** https://developers.fathom.ai/api-reference/recordings/get-transcript */
export const FATHOM = {
  transcript: [
    {
      speaker: { display_name: 'Ada Byron', matched_calendar_invitee_email: 'ada@example.test' },
      text: 'Good morning.',
      timestamp: '00:00:05',
    },
    {
      speaker: { display_name: 'Grace', matched_calendar_invitee_email: null },
      text: 'Hi.',
      timestamp: '01:00:09',
    },
  ],
};

const said = (content: string, start_time: number, end_time: number, speaker: string, confidence = 0.9) => ({
  alternatives: [{ confidence, content, language: 'en', speaker }],
  start_time,
  end_time,
  type: 'word',
});
const mark = (content: string, at: number, speaker: string, attaches_to = 'previous') => ({
  ...said(content, at, at, speaker, 1),
  attaches_to,
  is_eos: content === '.',
  type: 'punctuation',
});

/** https://docs.speechmatics.com/speech-to-text/batch/output */
export const SPEECHMATICS = {
  format: '2.9',
  job: { id: 'x1', duration: 10 },
  metadata: { type: 'transcription', transcription_config: { language: 'en', diarization: 'speaker' } },
  results: [
    said('Good', 1, 1.3, 'S1', 0.8),
    said('morning', 1.4, 1.9, 'S1'),
    mark('.', 1.9, 'S1'),
    said('I', 2, 2.1, 'S1'),
    said('said', 2.2, 2.3, 'S1'),
    mark('“', 2.4, 'S1', 'next'),
    said('hi', 2.4, 2.6, 'S1'),
    mark('”', 2.6, 'S1'),
    mark('.', 2.6, 'S1'),
    { type: 'speaker_change', start_time: 3, end_time: 3 },
    said('Bye', 3, 3.5, 'UU'),
  ],
};

const word = (text: string, startTime: string, endTime: string, speakerTag = 0) => ({
  startTime,
  endTime,
  word: text,
  speakerTag,
});

/**
 * https://cloud.google.com/speech-to-text/docs/multiple-voices: the last result repeats all words, with their speakers.
 */
export const GOOGLE_SPEECH = {
  name: '123',
  done: true,
  response: {
    '@type': 'type.googleapis.com/google.cloud.speech.v1.LongRunningRecognizeResponse',
    results: [
      {
        alternatives: [
          {
            transcript: 'Good morning.',
            confidence: 0.93,
            words: [word('Good', '1s', '1.300s'), word('morning.', '1.400s', '2s')],
          },
        ],
        resultEndTime: '2s',
        languageCode: 'en-us',
      },
      {
        alternatives: [{ transcript: ' Hi.', confidence: 0.5, words: [word('Hi.', '3s', '3.500s')] }],
        resultEndTime: '4s',
        languageCode: 'en-us',
      },
      {
        alternatives: [
          {
            words: [
              word('Good', '1s', '1.300s', 1),
              word('morning.', '1.400s', '2s', 1),
              word('Hi.', '3s', '3.500s', 2),
            ],
          },
        ],
        resultEndTime: '4s',
      },
    ],
  },
};

/** https://learn.microsoft.com/azure/ai-services/speech-service/batch-transcription-get */
export const AZURE = {
  source: 'https://example.test/audio.wav',
  timestamp: '2023-07-10T14:28:16Z',
  durationInTicks: 50_000_000,
  duration: 'PT5S',
  combinedRecognizedPhrases: [{ channel: 0, lexical: 'good morning', display: 'Good morning.' }],
  recognizedPhrases: [
    {
      recognitionStatus: 'Success',
      channel: 0,
      speaker: 1,
      locale: 'en-US',
      offset: 'PT1S',
      duration: 'PT1.1S',
      offsetInTicks: 10_000_000,
      durationInTicks: 11_000_000,
      nBest: [
        { confidence: 0.9, lexical: 'good morning', itn: 'good morning', display: 'Good morning.' },
        { confidence: 0.1, lexical: 'could morning', itn: 'could morning', display: 'Could morning.' },
      ],
    },
    { recognitionStatus: 'Failure', channel: 0, offset: 'PT2.5S', duration: 'PT0.5S' },
    {
      recognitionStatus: 'Success',
      channel: 0,
      speaker: 2,
      offset: 'PT1M3.07S',
      duration: 'PT1S',
      nBest: [{ confidence: 0.5, display: 'Hi.' }],
    },
  ],
};

const spoken = (text: string, start: number | null, end: number | null, speaker_id = 'speaker_0') => ({
  text,
  start,
  end,
  type: 'word',
  speaker_id,
  logprob: -0.1,
});
const space = (start: number, end: number) => ({ ...spoken(' ', start, end), type: 'spacing' });

/** https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
export const ELEVENLABS = {
  language_code: 'eng',
  language_probability: 0.98,
  text: 'Good morning. (laughter) Hi.',
  words: [
    spoken('Good', 1, 1.3),
    space(1.3, 1.4),
    spoken('morn', 1.4, 1.6),
    spoken('ing.', 1.6, 2),
    space(2, 2.1),
    { ...spoken('(laughter)', 2.1, 3), type: 'audio_event' },
    space(3, 3),
    spoken('Hi.', null, null, 'speaker_1'),
  ],
  transcription_id: 'x1',
};
