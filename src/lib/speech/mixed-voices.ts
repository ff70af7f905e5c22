import { open } from 'node:fs/promises';
import { AUDIO_RATE, SAMPLE_BYTES } from '../media-engine/audio/audio-format.js';
import type { DiarizationModel } from './speech-model.js';
import { secondsOf, type Span } from './passages.js';
import { floatSamples, readSpan, type Diarizer, type Sherpa, type VoiceExtractor } from './sherpa.js';
import { MAX_SPEAKERS, MAX_TURNS, type SpeakerVoice, type Turn } from './speech-messages.js';

/** Seconds heard in one go: memory grows with their square, and a slow model that reports nothing is ended. */
const BLOCK = 300;
/** Segmentation models hear this many seconds at a time, and then move on by this share of them. */
const WINDOW = { seconds: 10, shift: 0.25 } as const;
/** Voices of a block; more are made up, as of music. Those that speak most are kept. */
const MOST_VOICES = 30;
/** Seconds of speech without anybody else from which a voice is known. */
const SAMPLE = { least: 0.5, most: 30 } as const;

/** Somebody who speaks in a block. The same person is another voice in the next block, and maybe in the same one. */
export interface Voice {
  readonly spans: readonly Span[];
  /** Sum of the spans. */
  readonly seconds: number;
  /** What is characteristic of it, as a direction. */
  readonly embedding: Float32Array;
}

/** Tells the voices of a mix apart, in constant memory. */
export class MixedVoices {
  private readonly diarizer: Diarizer;
  private readonly extractor: VoiceExtractor;

  constructor(sherpa: Sherpa, { segmentation, embedding }: DiarizationModel, numThreads: number) {
    const common = { numThreads, provider: 'cpu', debug: 0 };
    const extractor = { model: embedding, ...common };
    this.diarizer = new sherpa.OfflineSpeakerDiarization({
      segmentation: { pyannote: { model: segmentation, windowShiftRatio: WINDOW.shift }, ...common },
      embedding: extractor,
      // Rather too many voices than too few: those that are alike are joined afterwards.
      clustering: { numClusters: -1, threshold: 0.7 },
      minDurationOn: 0.3,
      minDurationOff: 0.5,
    });
    this.extractor = new sherpa.SpeakerEmbeddingExtractor(extractor);
  }

  /** Yields the voices of each block of a file. */
  async *hear(path: string): AsyncGenerator<readonly Voice[], void> {
    await using file = await open(path);
    const seconds = (await file.stat()).size / SAMPLE_BYTES / AUDIO_RATE;
    const blocks = Math.ceil(seconds / BLOCK);
    for (let block = 0; block < blocks; block++) {
      const span = { start: (block * seconds) / blocks, end: ((block + 1) * seconds) / blocks };
      yield this.voicesIn(floatSamples(await readSpan(file, span)), span);
    }
  }

  private voicesIn(samples: Float32Array, { start, end }: Span): Voice[] {
    const speakers = new Map<number, Span[]>();
    for (const turn of this.diarizer.process(padded(samples))) {
      const span = { start: turn.start, end: Math.min(turn.end, end - start) };
      if (span.end > span.start) speakers.set(turn.speaker, [...(speakers.get(turn.speaker) ?? []), span]);
    }
    const all = [...speakers].map(([speaker, spans]) => ({ speaker, spans, seconds: secondsOf(spans) }));
    return all
      .toSorted((one, other) => other.seconds - one.seconds)
      .slice(0, MOST_VOICES)
      .flatMap(({ speaker, spans, seconds }) => {
        const others = all.flatMap((one) => (one.speaker === speaker ? [] : one.spans));
        const embedding = this.embeddingOf(samples, alone(spans, others));
        const placed = spans.map((span) => ({ start: start + span.start, end: start + span.end }));
        return embedding ? [{ spans: placed, seconds, embedding }] : [];
      });
  }

  /** Null if there is too little to know the voice. */
  private embeddingOf(samples: Float32Array, spans: readonly Span[]): Float32Array | null {
    const stream = this.extractor.createStream();
    let seconds = 0;
    for (const { start, end } of spans.toSorted((one, other) => secondsOf([other]) - secondsOf([one]))) {
      const until = Math.min(end, start + SAMPLE.most - seconds);
      if (until <= start) break;
      const part = samples.slice(Math.round(start * AUDIO_RATE), Math.round(until * AUDIO_RATE));
      stream.acceptWaveform({ samples: part, sampleRate: AUDIO_RATE });
      seconds += until - start;
    }
    stream.inputFinished();
    if (seconds < SAMPLE.least || !this.extractor.isReady(stream)) return null;
    const embedding = this.extractor.compute(stream, false);
    const direction = directionOf(embedding);
    // Digital silence gives nothing, or not a number.
    return direction.every(Number.isFinite) ? direction : null;
  }
}

/** What is left of the spans where none of the others is. */
const alone = (spans: readonly Span[], others: readonly Span[]): Span[] =>
  others.reduce<Span[]>(
    (rest, other) =>
      rest.flatMap(({ start, end }) =>
        [
          { start, end: Math.min(end, other.start) },
          { start: Math.max(start, other.end), end },
        ].filter((span) => span.end > span.start),
      ),
    [...spans],
  );

/** Followed by silence up to a whole window: the library ends the process if a window has a voice only after the end. */
function padded(samples: Float32Array): Float32Array {
  const shift = WINDOW.seconds * WINDOW.shift * AUDIO_RATE;
  const length = Math.max(WINDOW.seconds * AUDIO_RATE, Math.ceil(samples.length / shift) * shift);
  const whole = new Float32Array(length);
  whole.set(samples);
  return whole;
}

/** Cosine of the angle between two voices of the same person, at least. */
const ALIKE = 0.5;
/** Seconds below which a speaker is not named: a wrong name is worse than none. */
const LEAST_SECONDS = 2;

interface Group {
  readonly voices: Voice[];
  seconds: number;
  /** Sum of what is characteristic of the voices, by how long they speak. */
  readonly sum: Float32Array;
}

/** Joins voices that are alike: each group is a speaker, and those who speak most are first. */
function groupsOf(voices: readonly Voice[]): Group[] {
  const groups: Group[] = [];
  // The longest are known best.
  for (const voice of voices.toSorted((one, other) => other.seconds - one.seconds)) {
    const likeness = groups.map(({ sum }) => cosine(sum, voice.embedding));
    const best = Math.max(...likeness);
    const known = best >= ALIKE ? groups[likeness.indexOf(best)] : undefined;
    const group = known ?? { voices: [], seconds: 0, sum: new Float32Array(voice.embedding.length) };
    if (!known) groups.push(group);
    add(voice, group);
  }
  return groups
    .filter(({ seconds }) => seconds >= LEAST_SECONDS)
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, MAX_SPEAKERS);
}

/** Who speaks when, in order, and the voice of each speaker. Voices that are alike are the same speaker's. */
export function speakersOf(voices: readonly Voice[]): {
  readonly turns: Turn[];
  readonly voices: SpeakerVoice[];
} {
  const groups = groupsOf(voices);
  const turns = groups
    .flatMap((group, speaker) =>
      group.voices.flatMap(({ spans }) => spans.map((span) => ({ ...span, speaker }))),
    )
    .toSorted((one, other) => one.start - other.start)
    .slice(0, MAX_TURNS);
  return {
    turns,
    voices: groups.map(({ seconds, sum }, speaker) => ({ speaker, seconds, embedding: directionOf(sum) })),
  };
}

function directionOf(sum: Float32Array): Float32Array {
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}

function add(voice: Voice, group: Group): void {
  group.voices.push(voice);
  group.seconds += voice.seconds;
  voice.embedding.forEach((value, index) => {
    group.sum[index] = (group.sum[index] ?? 0) + voice.seconds * value;
  });
}

function cosine(sum: Float32Array, embedding: Float32Array): number {
  const dot = sum.reduce((total, value, index) => total + value * (embedding[index] ?? 0), 0);
  return dot / Math.hypot(...sum);
}
