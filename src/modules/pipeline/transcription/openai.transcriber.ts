import { openAsBlob } from 'node:fs';
import type { OpenAI } from 'openai';
import pLimit from 'p-limit';
import type { FetchLimits } from '../../../platform/models/bounded-fetch.js';
import { modelClient, type ModelServer, redact, refusalOf } from '../../../platform/models/model-client.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { twoLetterCode } from '../../../lib/language/language-codes.js';
import type { Span } from '../../../lib/speech/passages.js';
import { type Heard, readReply, refused } from './openai-reply.js';
import { cutOnSilences } from './silence.js';
import { PartialTranscription } from './partial-transcription.js';
import {
  type RecordedAudio,
  type RecordedFile,
  type TranscribeOptions,
  Transcriber,
  type Transcription,
} from './transcriber.js';
import { SAMPLE_BYTES } from '../../../lib/media-engine/audio/audio-format.js';

/** Seconds. Ten minutes are 19 MB; OpenAI accepts 25 MB. */
const PART = { least: 5 * 60, most: 10 * 60 } as const;
/** Shorter parts contain no speech, and servers refuse them. */
const SHORTEST_SECONDS = 0.1;
/** Characters of the terms in a prompt. */
const MAX_PROMPT = 500;
const PARTS_AT_ONCE = 2;
/** A small server may be slower than real time. */
const LIMITS: Partial<FetchLimits> = { milliseconds: 30 * 60_000, bytes: 4 * 1024 * 1024 };

/** What is sent in one request. */
interface Part extends Span {
  readonly file: RecordedFile;
}

interface RequestOptions {
  readonly rate: number;
  /** Of files that have none of their own. */
  readonly language: string | null;
  readonly prompt: string | null;
}

/** Any server with the transcription interface of OpenAI. */
export class OpenAiTranscriber extends Transcriber {
  /** It is charged by the minute, and hears more in long parts. */
  override readonly listen = null;
  private client: Promise<OpenAI> | null = null;

  /** `limits` apply to each request. */
  constructor(
    private readonly address: ModelServer,
    private readonly limits: Partial<FetchLimits> = {},
  ) {
    super();
  }

  override async transcribe(
    audio: RecordedAudio,
    { language, terms = [], signal, draft, save }: TranscribeOptions,
  ): Promise<Transcription> {
    const parts = await partsOf(audio);
    const spoken = language ? twoLetterCode(language) : null;
    const prompt = promptOf(terms);
    const partial = new PartialTranscription(parts.length, draft);
    const heard = await allOf(parts, signal, async (part, index, stop) => {
      const done =
        partial.find(index) ?? (await this.hear(part, { rate: audio.rate, language: spoken, prompt }, stop));
      await partial.add(index, done, save);
      return done;
    });
    return {
      language: mostSpoken(parts, heard) ?? spoken,
      segments: heard
        .flatMap(({ segments }) => segments)
        .sort((one, other) => one.start - other.start || one.end - other.end),
      confidenceKnown: heard.some(({ confidenceKnown }) => confidenceKnown),
    };
  }

  private async hear(
    { file: source, ...part }: Part,
    { rate, language, prompt }: RequestOptions,
    signal: AbortSignal,
  ): Promise<Heard> {
    this.client ??= modelClient(this.address, { ...LIMITS, ...this.limits });
    const client = await this.client;
    try {
      const file = await wavOf({ ...source, rate }, part);
      const spoken = source.language ? twoLetterCode(source.language) : language;
      const reply: unknown = await observed('model', 'transcription', () =>
        client.audio.transcriptions.create(
          {
            file,
            model: this.address.model,
            response_format: 'verbose_json',
            timestamp_granularities: ['segment'],
            ...(spoken && { language: spoken }),
            ...(prompt && { prompt }),
          },
          { signal },
        ),
      );
      return named(readReply(reply, part), source.speaker);
    } catch (error) {
      signal.throwIfAborted();
      throw await this.explained(error);
    }
  }

  /** Replaces errors that could contain the key, because errors of the library quote the server. */
  private async explained(error: unknown): Promise<unknown> {
    const refusal = await refusalOf(error, this.address);
    if (refusal !== null) return refused(refusal);
    if ((error as Error).name === 'SyntaxError')
      return new Error('the transcription server sent broken JSON');
    const { APIError } = await import('openai');
    if (!(error instanceof APIError) || error.status === undefined) return error;
    return new Error(`the transcription server failed: ${redact(error.message, this.address)}`);
  }
}

/** The parts of all files in the order of time, without long silences. */
async function partsOf({ files, duration, levelSeconds }: RecordedAudio): Promise<Part[]> {
  const parts: Part[] = [];
  for (const file of files)
    for (const { start, end } of cutOnSilences(await file.levels(), levelSeconds, PART))
      parts.push({ file, start, end: Math.min(end, duration) });
  return parts
    .filter(({ start, end }) => end - start >= SHORTEST_SECONDS)
    .sort((one, other) => one.start - other.start);
}

/** With the participant whose track it is; without one, the server may tell the speakers apart. */
const named = (heard: Heard, speaker: string): Heard =>
  speaker === '' ? heard : { ...heard, segments: heard.segments.map((segment) => ({ ...segment, speaker })) };

/** As Whisper takes it: text that spells the terms, of which it reads the last 224 tokens. */
function promptOf(terms: readonly string[]): string | null {
  let length = 0;
  const fitting = terms.filter((term) => (length += term.length + 2) <= MAX_PROMPT);
  return fitting.length > 0 ? `Glossary: ${fitting.join(', ')}.` : null;
}

/** Returns results in the order of the parts. The first error aborts all of them. */
async function allOf(
  parts: readonly Part[],
  signal: AbortSignal,
  hear: (part: Part, index: number, stop: AbortSignal) => Promise<Heard>,
): Promise<Heard[]> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const limit = pLimit(PARTS_AT_ONCE);
  const endAll = (error: unknown): never => {
    failed.abort(error);
    throw error;
  };
  try {
    signal.throwIfAborted();
    return await limit.map(parts, (part, index) => {
      stop.throwIfAborted();
      return hear(part, index, stop).catch(endAll);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** The language of most of the speech. */
function mostSpoken(parts: readonly Span[], heard: readonly Heard[]): string | null {
  const seconds = new Map<string, number>();
  heard.forEach(({ language, segments }, index) => {
    const part = parts[index];
    if (language === null || !part || segments.length === 0) return;
    seconds.set(language, (seconds.get(language) ?? 0) + part.end - part.start);
  });
  const [most] = [...seconds].sort((one, other) => other[1] - one[1]);
  return most?.[0] ?? null;
}

const HEADER_BYTES = 44;

/** A part of the audio as a WAV file that is read only when it is sent. */
export async function wavOf(
  { path, rate }: { readonly path: string; readonly rate: number },
  { start, end }: Span,
): Promise<File> {
  const offset = (seconds: number) => Math.round(seconds * rate) * SAMPLE_BYTES;
  const samples = (await openAsBlob(path)).slice(offset(start), offset(end));
  return new File([wavHeader(samples.size, rate), samples], 'part.wav', { type: 'audio/wav' });
}

/** Describes one channel of 16 bits. */
function wavHeader(bytes: number, rate: number): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * SAMPLE_BYTES, 28);
  header.writeUInt16LE(SAMPLE_BYTES, 32);
  header.writeUInt16LE(8 * SAMPLE_BYTES, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return header;
}
