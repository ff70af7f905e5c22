import { AudioSampleSink, type AudioSample, type Input, type InputAudioTrack } from 'mediabunny';
import { audioFacts, openInput, primaryTracks, sizeOf, videoFacts } from '../mediabunny/mediabunny-facts.js';
import { maxDuration, MEDIA_LIMITS, tooLong } from '../media-limits.js';
import { fraction } from '../mediabunny/mediabunny-outputs.js';
import type { WorkOptions } from '../process/packager-messages.js';
import type { PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { COPY_ALL, startOf } from '../mediabunny/packaging-plan.js';
import { isSystemError, MAX_AUDIO_DRIFT, MAX_JUMP_SECONDS } from '../mediabunny/pumps.js';
import { AUDIO_RATE } from './audio-format.js';
import { Resampler } from './audio-resampler.js';
import { AudioWriter } from './audio-writer.js';
import { inspectSource } from '../source-file.js';

/** Different sample rates in one recording. */
const MAX_RATES = 8;
/** Seconds to skip where the audio is damaged, doubled each time until something can be decoded again. */
const SKIP = { first: 0.1, max: 10 } as const;
/** Damaged passages in one recording; after more, the rest is dropped. */
const MAX_DAMAGES = 200;

interface Found {
  readonly track: InputAudioTrack;
  /** The time in the source, in seconds, that is 0 for players. */
  readonly start: number;
  /** Seconds; null when the header does not say. */
  readonly length: number | null;
}

/**
 * Writes the audio of a media file in the format of `audio-format.ts`, with the timing that players use: gaps and a late
 * start are silence. Returns its duration in seconds. `registerCodecs()` must have been called. Throws
 * `UnplayableMediaError` when there is no audio, or none that can be decoded.
 */
export async function extractAudio(
  { source, folder }: PackageRequest,
  { onProgress, onSize }: WorkOptions,
): Promise<number> {
  await inspectSource(source);
  const input = openInput(source);
  try {
    const { track, start, length } = await find(input);
    const size = await sizeOf(input, { video: null, audio: track });
    onSize(size);
    const writer = await AudioWriter.create(folder);
    const decoded = new AudioTimeline(writer, size.bytes, (time) =>
      onProgress(length ? fraction(time, length) : 0),
    );
    for await (const sample of undamaged(track)) {
      using held = sample;
      if (!(await decoded.add(held, held.timestamp - start))) break;
    }
    await decoded.end();
    await writer.end();
    if (writer.length === 0)
      throw new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
    onProgress(1);
    return writer.length / AUDIO_RATE;
  } finally {
    input.dispose();
  }
}

/** A file that the demuxer cannot parse now will not parse on a retry either. */
async function find(input: Input): Promise<Found> {
  try {
    const { video, audio } = await primaryTracks(input);
    if (!audio) throw new UnplayableMediaError('The recording has no audio.');
    if ((await audio.getCodec()) === null || !(await audio.canDecode())) {
      throw new UnplayableMediaError('The audio codec is not supported.');
    }
    const facts = { video: video && (await videoFacts(video)), audio: await audioFacts(audio) };
    const start = startOf(facts, COPY_ALL);
    return { track: audio, start, length: facts.audio.end && facts.audio.end - start };
  } catch (error) {
    if (error instanceof UnplayableMediaError || isSystemError(error)) throw error;
    throw new UnplayableMediaError('The file is damaged: its structure cannot be read.', { cause: error });
  }
}

/** The undamaged samples of a track. A decoder that has failed cannot decode later samples, so a new one takes over. */
async function* undamaged(track: InputAudioTrack): AsyncGenerator<AudioSample, void> {
  let from = await track.getFirstTimestamp();
  let skip: number = SKIP.first;
  for (let damages = 0; damages <= MAX_DAMAGES; damages++) {
    const samples = new AudioSampleSink(track).samples(from);
    try {
      for (let next = await samples.next(); !next.done; next = await samples.next()) {
        from = next.value.timestamp + next.value.duration;
        skip = SKIP.first;
        yield next.value;
      }
      return;
    } catch (error) {
      if (isSystemError(error)) throw error;
      from += skip;
      skip = Math.min(2 * skip, SKIP.max);
    } finally {
      await samples.return().catch(() => undefined);
    }
  }
}

/** Writes decoded pieces one after another, at their times. */
class AudioTimeline {
  /** Seconds. */
  private time = 0;
  private rate = 0;
  private resampler: Resampler | null = null;
  private readonly resamplers = new Map<number, Resampler>();

  constructor(
    private readonly writer: AudioWriter,
    /** Size of the source. */
    private readonly bytes: number,
    private readonly onTime: (time: number) => void,
  ) {}

  /** `at` is in seconds. Returns false when the audio ends before it. */
  async add(sample: AudioSample, at: number): Promise<boolean> {
    if (!(at - this.time <= MAX_JUMP_SECONDS)) return false;
    if (at > maxDuration(this.bytes)) throw tooLong(this.bytes);
    if (at - this.time > MAX_AUDIO_DRIFT || sample.sampleRate !== this.rate) {
      await this.end();
      this.time = Math.max(this.time, at);
      await this.writer.skipTo(Math.round(this.time * AUDIO_RATE));
      this.rate = sample.sampleRate;
      this.resampler = this.resamplerFor(this.rate);
    }
    const surplus = this.time - at > MAX_AUDIO_DRIFT ? Math.round((this.time - at) * this.rate) : 0;
    if (surplus < sample.numberOfFrames) {
      const mono = mixed(sample, surplus);
      this.time += mono.length / this.rate;
      await this.writer.write(this.resampler?.push(mono) ?? mono);
    }
    this.onTime(this.time);
    return true;
  }

  async end(): Promise<void> {
    if (this.resampler) await this.writer.write(this.resampler.end());
    this.resampler = null;
  }

  /** Reused for each rate, because some files have thousands of gaps. */
  private resamplerFor(rate: number): Resampler {
    const known = this.resamplers.get(rate);
    if (known) return known;
    if (!Number.isInteger(rate) || rate < MEDIA_LIMITS.sampleRate.min || rate > MEDIA_LIMITS.sampleRate.max) {
      throw new UnplayableMediaError('The audio has an unsupported sample rate.');
    }
    if (this.resamplers.size === MAX_RATES) {
      throw new UnplayableMediaError(`The audio has more than ${MAX_RATES} different sample rates.`);
    }
    const resampler = new Resampler(rate, AUDIO_RATE);
    this.resamplers.set(rate, resampler);
    return resampler;
  }
}

/** The mean of all channels, without the first `surplus` samples. */
function mixed(sample: AudioSample, surplus: number): Float32Array {
  const mono = new Float32Array(sample.numberOfFrames - surplus);
  const channel = new Float32Array(mono.length);
  for (let planeIndex = 0; planeIndex < sample.numberOfChannels; planeIndex++) {
    sample.copyTo(channel, { planeIndex, format: 'f32-planar', frameOffset: surplus });
    for (let index = 0; index < mono.length; index++) {
      mono[index] = (mono[index] as number) + (channel[index] as number) / sample.numberOfChannels;
    }
  }
  return mono;
}
