import { open, type FileHandle } from 'node:fs/promises';
import { AUDIO_RATE } from '../media-engine/audio/audio-format.js';
import { PassageBuilder, type Passage, type Span } from './passages.js';
import { floatSamples, type Sherpa, readSpan } from './sherpa.js';
import { SpeechDetector } from './speech-detector.js';

/** Samples below this are a muted microphone, or no signal at all. */
const SILENT = 10 / 32_768;
/** The detector counts samples in 32 bits, so it is replaced from time to time. */
const DETECTOR_SECONDS = 3600;
/** How often to report that nobody speaks. */
const QUIET_SECONDS = 60;
/** Speech is detected a moment after it begins, and passages begin a moment before. */
const MARGIN_SECONDS = 1;
/** Whole blocks, and whole windows of the detector: the unit of what it hears again after an interruption. */
const WARM_UP_SECONDS = 4;
/** What is left of a stretch of speech that has been read before an interruption, in seconds. */
const REST_SECONDS = 0.1;

/** A passage with its samples, or null if nobody spoke for a while; everything before `position` (seconds) is done. */
export interface ReadPassage {
  readonly passage: Passage | null;
  readonly samples: Float32Array;
  readonly position: number;
  /** It has not ended, and will be read again once there is more. */
  readonly isProvisional: boolean;
}

export interface VoiceReaderOptions {
  readonly sherpa: Sherpa;
  /** Model file of the detector. */
  readonly detector: string;
  /** There will be more audio than there is now. */
  readonly isOpen: boolean;
}

/** Reads the speech of a voice from `from` (seconds) on, in constant memory. */
export async function* readVoice(
  { path, from }: { readonly path: string; readonly from: number },
  options: VoiceReaderOptions,
): AsyncGenerator<ReadPassage, void> {
  await using file = await open(path);
  yield* new VoiceReader(options, file, from).passages();
}

const NOTHING = { passage: null, samples: new Float32Array(0), isProvisional: false } as const;

class VoiceReader {
  private readonly builder: PassageBuilder;
  private detector: SpeechDetector | null = null;
  /** Samples that may still belong to a passage. */
  private kept = new Float32Array(0);
  /** Index of the first one that is kept, and of the next one to read. */
  private keptFrom: number;
  private next: number;
  /** Seconds: speech that has not ended yet began after this. */
  private unendedFrom: number;
  private reportedAt: number;

  constructor(
    private readonly options: VoiceReaderOptions,
    private readonly file: FileHandle,
    private readonly from: number,
  ) {
    // The detector finds the same as without an interruption if it hears what comes before.
    const warmUps = Math.max(0, Math.floor(from / WARM_UP_SECONDS) - 1);
    this.next = this.keptFrom = warmUps * WARM_UP_SECONDS * AUDIO_RATE;
    this.unendedFrom = this.reportedAt = from;
    this.builder = new PassageBuilder(from);
  }

  async *passages(): AsyncGenerator<ReadPassage, void> {
    for (let samples = await this.read(); samples.length > 0; samples = await this.read()) {
      this.keep(samples);
      yield* this.add(samples);
      yield* this.report();
    }
    yield* this.options.isOpen ? this.pause() : this.finish();
  }

  private *add(samples: Float32Array): Generator<ReadPassage, void> {
    const begin = this.time;
    this.next += samples.length;
    if (isSilent(samples)) return yield* this.endDetector();
    this.detector ??= new SpeechDetector(this.options.sherpa, this.options.detector, begin);
    yield* this.addSpans(this.detector.push(samples));
    if (this.detector.speaking) return;
    this.unendedFrom = this.time;
    yield* this.all(this.builder.advance(this.time));
    if (this.time - this.detector.from > DETECTOR_SECONDS) yield* this.endDetector();
  }

  private *finish(): Generator<ReadPassage, void> {
    yield* this.endDetector();
    yield* this.all(this.builder.end(this.time));
    yield { ...NOTHING, position: this.time };
  }

  /** What is open now goes on in what is not there yet. */
  private *pause(): Generator<ReadPassage, void> {
    const openFrom = Math.min(this.builder.openFrom ?? Infinity, this.unendedFrom - MARGIN_SECONDS);
    const position = Math.max(this.builder.from, openFrom);
    yield { ...NOTHING, position };
    for (const passage of this.finish()) yield { ...passage, position, isProvisional: true };
  }

  private *endDetector(): Generator<ReadPassage, void> {
    yield* this.addSpans(this.detector?.end() ?? []);
    this.detector = null;
    this.unendedFrom = this.time;
    yield* this.all(this.builder.advance(this.time));
  }

  private *addSpans(spans: readonly Span[]): Generator<ReadPassage, void> {
    for (const { start, end } of spans) {
      if (end < this.from + REST_SECONDS) continue;
      const span = { start: Math.max(start, this.from), end };
      yield* this.all(this.builder.add(span));
      this.unendedFrom = span.end;
    }
  }

  private *all(passages: readonly Passage[]): Generator<ReadPassage, void> {
    for (const passage of passages) {
      const { start, end } = passage.audio;
      const index = (seconds: number): number => Math.round(seconds * AUDIO_RATE) - this.keptFrom;
      this.reportedAt = end;
      const samples = this.kept.slice(Math.max(0, index(start)), index(end));
      yield { passage, samples, position: end, isProvisional: false };
    }
  }

  /** Silence is progress, too. */
  private *report(): Generator<ReadPassage, void> {
    const isOpen = this.builder.openFrom !== null || this.unendedFrom < this.time;
    if (isOpen || this.time - this.reportedAt < QUIET_SECONDS) return;
    this.reportedAt = this.time;
    yield { ...NOTHING, position: this.time - MARGIN_SECONDS };
  }

  private get time(): number {
    return this.next / AUDIO_RATE;
  }

  /** Adds samples, and drops those that no passage can need any more. */
  private keep(samples: Float32Array): void {
    const needed = Math.min(this.builder.openFrom ?? Infinity, this.unendedFrom - MARGIN_SECONDS);
    const rest = this.kept.subarray(Math.max(0, Math.floor(needed * AUDIO_RATE) - this.keptFrom));
    const kept = new Float32Array(rest.length + samples.length);
    kept.set(rest);
    kept.set(samples, rest.length);
    this.keptFrom = this.next - rest.length;
    this.kept = kept;
  }

  /** One second; less at the end. */
  private async read(): Promise<Float32Array> {
    return floatSamples(await readSpan(this.file, { start: this.time, end: this.time + 1 }));
  }
}

const isSilent = (samples: Float32Array): boolean => samples.every((sample) => Math.abs(sample) < SILENT);
