import { AUDIO_RATE } from '../media-engine/audio/audio-format.js';
import { secondsOf, type Span } from './passages.js';
import type { Detector, Sherpa } from './sherpa.js';

/** Samples that the detector takes at a time. */
const WINDOW = 512;
/** Silences that separate two stretches of speech, in seconds: those between words, where passages are cut. */
const SHORTEST_SILENCE = 0.1;
/** How sure the detector must be, 0 to 1. */
const THRESHOLDS = {
  /** Low, because a missed word is worse than a noise, in which the recognizer finds no words. */
  heard: 0.3,
  /** Threshold for speech in which no words were recognized: music often passes the low one. */
  certain: 0.7,
} as const;
const BUFFER_SECONDS = 60;

/** Finds where somebody speaks. */
export class SpeechDetector {
  private readonly detector: Detector;
  private readonly rest = new Float32Array(WINDOW);
  private waiting: number;
  /** Time of the beginning of the first window, in seconds. */
  readonly from: number;

  /** `begin`: time of the first sample, in seconds. */
  constructor({ Vad }: Sherpa, model: string, begin: number, threshold: number = THRESHOLDS.heard) {
    // Whenever it begins, it has the same windows, and so finds the same.
    this.waiting = Math.round(begin * AUDIO_RATE) % WINDOW;
    this.from = begin - this.waiting / AUDIO_RATE;
    this.detector = new Vad(
      {
        sileroVad: {
          model,
          threshold,
          minSilenceDuration: SHORTEST_SILENCE,
          minSpeechDuration: 0.05,
          maxSpeechDuration: 16,
          windowSize: WINDOW,
        },
        sampleRate: AUDIO_RATE,
        numThreads: 1,
        provider: 'cpu',
        debug: 0,
      },
      BUFFER_SECONDS,
    );
  }

  /** Whether the last sample belongs to speech. */
  get speaking(): boolean {
    return this.detector.isDetected();
  }

  /** Returns the stretches of speech that have ended. */
  push(samples: Float32Array): Span[] {
    for (let offset = 0; offset < samples.length;) {
      const taken = samples.subarray(offset, offset + WINDOW - this.waiting);
      this.rest.set(taken, this.waiting);
      this.waiting += taken.length;
      offset += taken.length;
      if (this.waiting < WINDOW) break;
      this.waiting = 0;
      this.detector.acceptWaveform(this.rest);
    }
    return this.take();
  }

  end(): Span[] {
    this.detector.flush();
    return this.take();
  }

  /** Seconds of a piece of audio in which somebody certainly speaks. */
  static speechIn(sherpa: Sherpa, model: string, samples: Float32Array): number {
    const detector = new SpeechDetector(sherpa, model, 0, THRESHOLDS.certain);
    return secondsOf([...detector.push(samples), ...detector.end()]);
  }

  private take(): Span[] {
    const spans: Span[] = [];
    for (; !this.detector.isEmpty(); this.detector.pop()) {
      const { start, samples } = this.detector.front(false);
      const begin = this.from + start / AUDIO_RATE;
      spans.push({ start: begin, end: begin + samples.length / AUDIO_RATE });
    }
    return spans;
  }
}
