/** Samples that the services publish, shortened. */
export const DEEPGRAM = {
  metadata: { request_id: 'a847f427-4ad5-4d67-9b95-db801e58251c', channels: 1, models: ['general'] },
  results: {
    channels: [
      {
        detected_language: 'en',
        alternatives: [
          {
            transcript: 'Another big problem in the speech analytics space. Yeah. And.',
            confidence: 0.99,
            words: [
              {
                word: 'another',
                start: 0.94,
                end: 1.18,
                confidence: 0.99,
                speaker: 0,
                punctuated_word: 'Another',
              },
              {
                word: 'problem',
                start: 1.18,
                end: 1.66,
                confidence: 0.97,
                speaker: 0,
                punctuated_word: 'problem.',
              },
              { word: 'yeah', start: 4.5, end: 4.7, confidence: 0.5, speaker: 1, punctuated_word: 'Yeah.' },
            ],
            paragraphs: {
              transcript: '\nSpeaker 0: Another problem.\n\nSpeaker 1: Yeah.',
              paragraphs: [
                {
                  sentences: [{ text: 'Another problem.', start: 0.94, end: 1.66 }],
                  speaker: 0,
                  num_words: 2,
                  start: 0.94,
                  end: 1.66,
                },
                {
                  sentences: [{ text: 'Yeah.', start: 4.5, end: 4.7 }],
                  speaker: 1,
                  num_words: 1,
                  start: 4.5,
                  end: 4.7,
                },
              ],
            },
          },
        ],
      },
    ],
    utterances: [
      {
        start: 0.41915998,
        end: 5.43012,
        confidence: 0.88172823,
        channel: 0,
        transcript: 'four score and seven years ago',
        words: [{ word: 'four', start: 0.41915998, end: 0.85827994, confidence: 0.57893836 }],
        speaker: 0,
        id: '2c9bd0f6',
      },
    ],
  },
};

export const ASSEMBLYAI = {
  id: '9ea68fd3-f953-42c1-9742-976c447fb463',
  audio_url: 'https://assembly.ai/wildfires.mp3',
  status: 'completed',
  language_code: 'en_us',
  text: 'Smoke from hundreds of wildfires. Good morning.',
  words: [
    { text: 'Smoke', start: 250, end: 650, confidence: 0.97, speaker: 'A' },
    { text: 'from', start: 730, end: 1022, confidence: 0.99, speaker: 'A' },
    { text: 'Canada.', start: 1076, end: 1418, confidence: 0.83, speaker: 'A' },
    { text: 'Yes.', start: 1500, end: 1700, confidence: 0.5, speaker: 'B' },
  ],
  utterances: [
    {
      confidence: 0.9359,
      start: 250,
      end: 26950,
      speaker: 'A',
      text: 'Smoke from hundreds of wildfires in Canada.',
      words: [{ text: 'Smoke', start: 250, end: 650, confidence: 0.97503, speaker: 'A' }],
    },
    { confidence: 0.96, start: 27850, end: 28840, speaker: 'B', text: 'Good morning.', words: [] },
  ],
  audio_duration: 281,
};

/** https://docs.aws.amazon.com/transcribe/latest/dg/diarization-output-batch.html */
export const AWS_TRANSCRIBE = {
  jobName: 'my-first-transcription-job',
  accountId: '111122223333',
  status: 'COMPLETED',
  results: {
    language_code: 'en-US',
    transcripts: [{ transcript: "I've been on hold. Sorry." }],
    speaker_labels: {
      channel_label: 'ch_0',
      speakers: 2,
      segments: [
        {
          start_time: '4.87',
          speaker_label: 'spk_0',
          end_time: '6.88',
          items: [
            { start_time: '4.87', speaker_label: 'spk_0', end_time: '5.02' },
            { start_time: '5.02', speaker_label: 'spk_0', end_time: '6.88' },
          ],
        },
        {
          start_time: '8.49',
          speaker_label: 'spk_1',
          end_time: '9.24',
          items: [{ start_time: '8.49', speaker_label: 'spk_1', end_time: '9.24' }],
        },
      ],
    },
    items: [
      {
        id: 0,
        type: 'pronunciation',
        start_time: '4.87',
        end_time: '5.02',
        alternatives: [{ confidence: '1.0', content: "I've" }],
      },
      {
        id: 1,
        type: 'pronunciation',
        start_time: '5.02',
        end_time: '6.88',
        alternatives: [{ confidence: '0.9', content: 'waited' }],
      },
      { id: 2, type: 'punctuation', alternatives: [{ confidence: '0.0', content: '.' }] },
      {
        id: 3,
        type: 'pronunciation',
        start_time: '8.49',
        end_time: '9.24',
        alternatives: [{ confidence: '0.998', content: 'Sorry' }],
      },
      { id: 4, type: 'punctuation', alternatives: [{ confidence: '0.0', content: '.' }] },
    ],
    audio_segments: [
      {
        id: 0,
        transcript: "I've waited.",
        start_time: '4.87',
        end_time: '6.88',
        speaker_label: 'spk_0',
        items: [0, 1, 2],
      },
      {
        id: 1,
        transcript: 'Sorry.',
        start_time: '8.49',
        end_time: '9.24',
        speaker_label: 'spk_1',
        items: [3, 4],
      },
    ],
  },
};

export const WHISPER_CPP = {
  systeminfo: 'AVX = 1 | AVX2 = 1',
  model: { type: 'base', multilingual: false },
  params: { model: 'models/ggml-base.en.bin', language: 'en', translate: false },
  result: { language: 'en' },
  transcription: [
    {
      timestamps: { from: '00:00:00,000', to: '00:00:07,960' },
      offsets: { from: 0, to: 7960 },
      text: ' And so my fellow Americans ask not',
      tokens: [
        { text: '[_BEG_]', offsets: { from: 0, to: 0 }, id: 50363, p: 0.1 },
        { text: ' And', offsets: { from: 320, to: 370 }, id: 843, p: 0.7 },
        { text: ' so', offsets: { from: 370, to: 690 }, id: 523, p: 0.9 },
        { text: '[_TT_398]', offsets: { from: 7960, to: 7960 }, id: 50761, p: 0.2 },
      ],
    },
    {
      timestamps: { from: '00:00:07,960', to: '00:00:10,760' },
      offsets: { from: 7960, to: 10_760 },
      text: ' what you can do for your country.',
      speaker: '1',
    },
  ],
};

export const WHISPERX = {
  segments: [
    {
      start: 0.009,
      end: 2.095,
      text: ' Welcome back in 2014.',
      words: [
        { word: 'Welcome', start: 0.009, end: 0.41, score: 0.8, speaker: 'SPEAKER_01' },
        { word: 'back', start: 0.43, end: 0.7, score: 0.6, speaker: 'SPEAKER_01' },
        { word: '2014.' },
      ],
      speaker: 'SPEAKER_01',
    },
    { start: 2.2, end: 3, text: ' Thanks.', words: [] },
  ],
  word_segments: [{ word: 'Welcome', start: 0.009, end: 0.41, score: 0.8 }],
  language: 'en',
};

export const GOOGLE_MEET = `Oct 2, 2025
Quick discovery call - Transcript
Attendees
Anna Hewitt, Garrett McGrath
Transcript
00:00:00
\u0020
Anna Hewitt: Okay. So the goal
Garrett McGrath: Hey,
Anna Hewitt: is
\u0020
\u0020
00:01:30
\u0020
Garrett McGrath: you want me to start?
And then I will, yes.
\u0020
\u0020
Transcription ended after 00:01:40

This editable transcript was computer generated and might contain errors. People can also change the text after it was created.
`;

export const OTTER = `Weekly call
Mon, Aug 17, 2020 9:54AM • 57:52

Brian Okken  0:03${'  '}
Hello, and welcome.
This is the second line.

Unknown Speaker  0:12${'  '}
Thanks for having me: really.

Brian Okken  1:02:14${'  '}
Bye.

Transcribed by https://otter.ai
`;

export const TEAMS_OLDER = [
  ['0:0:0.0 --> 0:0:1.510', 'Some Body', 'OK. Yeah.'],
  ['0:0:2.90 --> 0:0:2.480', 'James Bond', 'Umm.', 'Shaken & <not> stirred.'],
];

export const TEAMS_NEWER = [
  ['Sprint review-20240305_140000-Meeting Recording'],
  ['March 5, 2024, 2:00PM'],
  ['32m 5s'],
  ['Ada Byron started transcription'],
  ['Ada Byron   0:03', 'Good morning.'],
  ['Grace Hopper (Guest)   0:07', 'Hi.', 'Shall we begin at 9:30?'],
  ['Ada Byron stopped transcription'],
];

export const FIREFLIES = `Ada Byron - 00:03
Good morning, everyone.

Grace - 00:15
Hi.
`;
