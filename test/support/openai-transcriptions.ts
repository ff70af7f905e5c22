import type { OpenAI } from 'openai';
import { BadRequest, type ModelRequest, type ModelRoute } from './openai-server.js';

const HEADER_BYTES = 44;
/** Hertz, of the service. */
const RATE = 16_000;
/** The limit of OpenAI. */
const MAX_FILE_BYTES = 25 * 1024 * 1024;

/** What the server received for one part. */
export interface HeardPart {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly authorization: string | undefined;
  /** Seconds. */
  readonly duration: number;
  readonly samples: Int16Array;
}

/** A segment as specified by a test; the rest is filled in. */
export interface SaidSegment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly [more: string]: unknown;
}

export type Recogniser = (part: HeardPart, call: number) => readonly SaidSegment[];

/**
 * `POST /audio/transcriptions`: the test determines what is said in a part, from its audio or the number of the call.
 */
export class TranscriptionsRoute implements ModelRoute {
  readonly path = '/audio/transcriptions';
  readonly parts: HeardPart[] = [];
  /** The name that Whisper gives it. */
  language = 'english';
  recognise: Recogniser = () => [{ start: 0, end: 1, text: ' Hello.' }];

  /** Long audio of a low `rate` takes less time. */
  constructor(private readonly rate = RATE) {}

  reset(): void {
    this.parts.length = 0;
    this.language = 'english';
    this.recognise = () => [{ start: 0, end: 1, text: ' Hello.' }];
  }

  async answer(request: ModelRequest): Promise<OpenAI.Audio.TranscriptionVerbose> {
    const part = await read(request, this.rate);
    const call = this.parts.push(part) - 1;
    const said = this.recognise(part, call);
    return {
      language: this.language,
      duration: part.duration,
      text: said.map(({ text }) => text).join(''),
      segments: said.map((segment, id) => ({ ...SEGMENT, id, ...segment })),
    };
  }
}

const SEGMENT = {
  seek: 0,
  tokens: [50364, 2425, 13],
  temperature: 0,
  avg_logprob: -0.2,
  compression_ratio: 1.1,
  no_speech_prob: 0.01,
};

async function read({ headers, body }: ModelRequest, rate: number): Promise<HeardPart> {
  const type = headers['content-type'] ?? '';
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (!form) throw new BadRequest(`not a form but ${type}`);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form) {
    if (value instanceof File) fields[name] = value.name;
    else if (name.endsWith('[]')) fields[name] = form.getAll(name);
    else fields[name] = value;
  }
  const file = form.get('file');
  if (!(file instanceof File)) throw new BadRequest('file is not a file');
  const samples = await readWav(file, rate);
  return { fields, authorization: headers.authorization, duration: samples.length / rate, samples };
}

/** One channel of this rate and 16 bits, complete. */
async function readWav(file: File, rate: number): Promise<Int16Array> {
  if (!file.name.endsWith('.wav')) throw new BadRequest(`file is named ${file.name}`);
  if (file.size * (RATE / rate) > MAX_FILE_BYTES) throw new BadRequest(`file is of ${file.size} bytes`);
  const bytes = Buffer.from(await file.arrayBuffer());
  const found = {
    riff: bytes.toString('latin1', 0, 4),
    size: bytes.readUInt32LE(4),
    wave: bytes.toString('latin1', 8, 16),
    format: [bytes.readUInt32LE(16), bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt32LE(24)],
    rate: [bytes.readUInt32LE(28), bytes.readUInt16LE(32), bytes.readUInt16LE(34)],
    data: bytes.toString('latin1', 36, 40),
    length: bytes.readUInt32LE(40),
  };
  const right = {
    riff: 'RIFF',
    size: bytes.length - 8,
    wave: 'WAVEfmt ',
    format: [16, 1, 1, rate],
    rate: [2 * rate, 2, 16],
    data: 'data',
    length: bytes.length - HEADER_BYTES,
  };
  if (JSON.stringify(found) !== JSON.stringify(right)) {
    throw new BadRequest(`the file is no WAV as agreed: ${JSON.stringify(found)}`);
  }
  return new Int16Array(new Uint8Array(bytes.subarray(HEADER_BYTES)).buffer);
}
