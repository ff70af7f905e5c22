/**
 * Request and reply of `POST /audio/transcriptions`, from the published description of the OpenAI API:
 * github.com/openai/openai-openapi, openapi.yaml, version 2.3.0, MIT licence, `CreateTranscriptionRequest`,
 * `CreateTranscriptionResponseVerboseJson`, `TranscriptionSegment`, `Error`. Names, types and what is required are theirs.
 */
const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const integer = { type: 'integer' } as const;

/** Fields of a form; `file` is the name of the file, which is checked separately. */
export const TRANSCRIPTION_REQUEST = {
  type: 'object',
  additionalProperties: false,
  required: ['file', 'model'],
  properties: {
    file: text,
    model: text,
    language: text,
    prompt: text,
    response_format: { type: 'string', enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'] },
    temperature: number,
    'timestamp_granularities[]': { type: 'array', items: { type: 'string', enum: ['word', 'segment'] } },
  },
} as const;

const SEGMENT = {
  type: 'object',
  properties: {
    id: integer,
    seek: integer,
    start: number,
    end: number,
    text,
    tokens: { type: 'array', items: integer },
    temperature: number,
    avg_logprob: number,
    compression_ratio: number,
    no_speech_prob: number,
  },
  required: [
    'id',
    'seek',
    'start',
    'end',
    'text',
    'tokens',
    'temperature',
    'avg_logprob',
    'compression_ratio',
    'no_speech_prob',
  ],
} as const;

export const TRANSCRIPTION_REPLY = {
  type: 'object',
  required: ['language', 'duration', 'text'],
  properties: { language: text, duration: number, text, segments: { type: 'array', items: SEGMENT } },
} as const;
