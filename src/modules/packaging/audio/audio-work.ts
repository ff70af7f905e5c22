import { join } from 'node:path';
import { AudioSampleSink, type AudioSample, type InputAudioTrack } from 'mediabunny';
import { openInput } from '../mediabunny/mediabunny-facts.js';
import { maxDuration, MEDIA_LIMITS, tooLong } from '../media-limits.js';
import { fraction } from '../mediabunny/mediabunny-outputs.js';
import type { WorkOptions } from '../process/packager-messages.js';
import type { PackageRequest } from '../packager.js';
import { UnplayableMediaError } from '../unplayable-media.error.js';
import { isSystemError, MAX_AUDIO_DRIFT, MAX_JUMP_SECONDS } from '../mediabunny/pumps.js';
import { AUDIO_RATE } from './audio-format.js';
import { Resampler } from './audio-resampler.js';
import { findAudio, type FoundAudio } from './audio-tracks.js';
import { AudioWriter, type AudioFile } from './audio-writer.js';
import { ChannelLevels } from './channel-levels.js';
import { channelOf, measuredMixOf, mixOf, type Pick } from './sample-channels.js';
import { inspectSource } from '../source-file.js';
import {
  CHANNEL_NAMES,
  finishVoices,
  trackFile,
  type ExtractedFiles,
  type WrittenTrack,
} from './voice-files.js';

/** Different sample rates in one recording. */
const MAX_RATES = 8;
/** Seconds to skip where the audio is damaged, doubled each time until something can be decoded again. */
const SKIP = { first: 0.1, max: 10 } as const;
/** Damaged passages in one recording; after more, the rest is dropped. */
const MAX_DAMAGES = 200;

/** What of a track goes to a file. */
interface Part {
  readonly path: string;
  readonly pick: Pick;
}

/**
 * Writes the audio of a media file in the format of `audio-format.ts`, with the timing that players use: gaps and a late
 * start are silence. `registerCodecs()` must have been called. Throws `UnplayableMediaError` when there is no audio, or
 * none that can be decoded; a track that cannot is left out if there are others.
 */
export async function extractAudio(
  { source, folder }: PackageRequest,
  { onProgress, onSize }: WorkOptions,
): Promise<ExtractedFiles> {
  await inspectSource(source);
  const input = openInput(source);
  try {
    const audio = await findAudio(input);
    onSize(audio.size);
    const written: WrittenTrack[] = [];
    let damage: unknown = null;
    for (const [place, { track, title, primary }] of audio.tracks.entries()) {
      const onTime = (time: number) =>
        onProgress((place + (audio.length ? fraction(time, audio.length) : 0)) / audio.tracks.length);
      const channels = new ChannelLevels();
      const pick = audio.single ? measuredMixOf(channels) : mixOf;
      try {
        const [mix] = await write(track, audio, [{ path: join(folder, trackFile(place)), pick }], onTime);
        if (mix) written.push({ title, primary, mix, channels: audio.single ? channels.complete() : null });
      } catch (error) {
        // Damage to one track does not fail the others.
        if (isSystemError(error)) throw error;
        damage ??= error;
      }
    }
    if (written.length === 0) throw damage;
    const result = await finishVoices(folder, written, () =>
      // Only a sign of life: most of the work is done.
      split(folder, audio, () => onProgress(0)),
    );
    onProgress(1);
    return result;
  } finally {
    input.dispose();
  }
}

/** Writes the channels of the only track to files of their own. Few recordings need it, so the track is decoded again. */
async function split(folder: string, audio: FoundAudio, onTime: () => void): Promise<AudioFile[]> {
  const parts = CHANNEL_NAMES.map((name, channel) => ({
    path: join(folder, trackFile(0, name)),
    pick: channelOf(channel),
  }));
  const [only] = audio.tracks;
  return only ? write(only.track, audio, parts, onTime) : [];
}

/** Decodes a track once. Throws `UnplayableMediaError` when there is nothing to decode. */
async function write(
  track: InputAudioTrack,
  { start, size }: FoundAudio,
  parts: readonly Part[],
  onTime: (time: number) => void,
): Promise<AudioFile[]> {
  const writers: AudioWriter[] = [];
  try {
    for (const { path } of parts) writers.push(await AudioWriter.create(path));
    const timelines = writers.map((writer, place) => {
      const pick = parts[place]?.pick ?? mixOf;
      return new AudioTimeline({ writer, pick, bytes: size.bytes, onTime });
    });
    for await (const sample of undamaged(track)) {
      using held = sample;
      let ended = false;
      for (const timeline of timelines) ended = !(await timeline.add(held, held.timestamp - start)) || ended;
      if (ended) break;
    }
    for (const timeline of timelines) await timeline.end();
    if (writers[0]?.length === 0)
      throw new UnplayableMediaError('The audio is damaged: none of it can be decoded.');
    return await Promise.all(writers.map((writer) => writer.end()));
  } finally {
    for (const writer of writers) await writer.close();
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

interface TimelineTarget {
  readonly writer: AudioWriter;
  readonly pick: Pick;
  /** Size of the source. */
  readonly bytes: number;
  readonly onTime: (time: number) => void;
}

/** Writes decoded pieces one after another, at their times. */
class AudioTimeline {
  /** Seconds. */
  private time = 0;
  private rate = 0;
  private resampler: Resampler | null = null;
  private readonly resamplers = new Map<number, Resampler>();

  constructor(private readonly target: TimelineTarget) {}

  /** `at` is in seconds. Returns false when the audio ends before it. */
  async add(sample: AudioSample, at: number): Promise<boolean> {
    if (!(at - this.time <= MAX_JUMP_SECONDS)) return false;
    if (at > maxDuration(this.target.bytes)) throw tooLong(this.target.bytes);
    if (at - this.time > MAX_AUDIO_DRIFT || sample.sampleRate !== this.rate) {
      await this.end();
      this.time = Math.max(this.time, at);
      await this.target.writer.skipTo(Math.round(this.time * AUDIO_RATE));
      this.rate = sample.sampleRate;
      this.resampler = this.resamplerFor(this.rate);
    }
    const surplus = this.time - at > MAX_AUDIO_DRIFT ? Math.round((this.time - at) * this.rate) : 0;
    if (surplus < sample.numberOfFrames) {
      const mono = this.target.pick(sample, surplus);
      this.time += mono.length / this.rate;
      await this.target.writer.write(this.resampler?.push(mono) ?? mono);
    }
    this.target.onTime(this.time);
    return true;
  }

  async end(): Promise<void> {
    if (this.resampler) await this.target.writer.write(this.resampler.end());
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
