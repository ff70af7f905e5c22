import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AUDIO_RATE, LEVEL_SAMPLES, measuredAudio } from '../../../lib/media-engine/audio/audio-format.js';
import { placeVoice } from '../../../lib/media-engine/audio/place-voice.js';
import { HOUR_S } from '../../../lib/durations.js';
import { extractAudio, type ExtractedAudio } from '../../../lib/media-engine/media-engine.js';
import { UnplayableMediaError } from '../../../lib/media-engine/media.errors.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { observed } from '../../../platform/telemetry/observed.js';
import { WorkPool } from '../../../platform/work/work-pool.service.js';
import { findHeardTracks, type HeardTrack } from '../../media/public/heard-tracks.queries.js';
import { ScratchService } from '../packaging/scratch.service.js';
import { KEEP_OWN_SPEECH } from './own-speech.task.js';
import type { TranscriptionSource } from './transcription.queries.js';
import type { RecordedAudio, RecordedFile } from './transcriber.js';

/** More than 50 tracks of twelve hours take. */
const SECONDS = 3600;

/** Hours of all tracks together, which are on the disk at the same time; an hour takes up to 115 MB. */
const MOST_HOURS = 200;

interface ReadOptions {
  /** Writable. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Somebody waits for it. */
  readonly isAwaited?: boolean | undefined;
  /** BCP 47 code of the language that was requested for everyone; null: tracks have their own. */
  readonly language: string | null;
}

/** The media of a recording, and whether nothing more of its tracks is on its way. */
interface RecordedMedia extends Pick<TranscriptionSource, 'tracksReady' | 'isMixed'> {
  readonly recordingId: string;
  readonly key: string;
}

/** What a transcription hears of a recording. */
@Injectable()
export class RecordedAudioService {
  constructor(
    private readonly scratch: ScratchService,
    private readonly pool: WorkPool,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'ffmpegPath'>,
  ) {}

  /**
   * The tracks once all are there, and otherwise, or if none of them can be heard, the media. Throws
   * `UnplayableMediaError` if that cannot be heard either.
   */
  async read(media: RecordedMedia, options: ReadOptions): Promise<RecordedAudio> {
    const ofTracks = await this.tracks(media, options);
    const audio = ofTracks ?? (await this.media(media.key, options));
    const ofMedia = ofTracks && !media.isMixed ? await ifPlayable(this.media(media.key, options)) : null;
    const [everyone] = ofMedia?.files ?? [];
    const voices = audio.voices.map(({ path }) => path);
    if (voices.length === 1 && !everyone) return audio;
    const run = { caller: media.recordingId, seconds: SECONDS, signal: options.signal };
    const files = { voices, mix: everyone?.path ?? null };
    if (!(await this.pool.run(KEEP_OWN_SPEECH, files, run)) || !everyone) return audio;
    // Somebody has no track.
    const duration = Math.max(audio.duration, ofMedia?.duration ?? 0);
    const rest = { ...everyone, levels: () => levelsOf(everyone.path) };
    return { ...audio, duration, voices: [...audio.voices, rest], files: [...audio.files, rest] };
  }

  private async media(key: string, options: ReadOptions): Promise<RecordedAudio> {
    const { path, levels, ...audio } = await this.extract(key, options);
    return {
      ...audio,
      files: [{ path, speaker: '', language: null, levels: () => Promise.resolve(levels) }],
    };
  }

  private async tracks(
    { recordingId, tracksReady }: RecordedMedia,
    options: ReadOptions,
  ): Promise<RecordedAudio | null> {
    const found = tracksReady ? await findHeardTracks(this.dataSource.manager, recordingId) : [];
    const seconds = found.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
    const tracks = seconds > MOST_HOURS * HOUR_S ? [] : found;
    const files: (RecordedFile & { readonly duration: number })[] = [];
    // One after the other, as both the original and all of its audio are on the disk meanwhile.
    for (const track of tracks) files.push(...(await this.place(track, options)));
    if (files.length === 0) return null;
    const duration = Math.max(...files.map((file) => file.duration));
    return { voices: files, files, duration, rate: AUDIO_RATE, levelSeconds: LEVEL_SAMPLES / AUDIO_RATE };
  }

  /** A track on the time line of the recording; nothing if it has no sound, or is damaged, which leaves the others. */
  private async place({ id, name, language, offset, sourceKey }: HeardTrack, options: ReadOptions) {
    const folder = join(options.folder, id);
    await mkdir(folder);
    try {
      const audio = await ifPlayable(this.extract(sourceKey, { ...options, folder }));
      const duration = (offset ?? 0) + (audio?.duration ?? 0);
      if (audio === null || duration * AUDIO_RATE < 1) return [];
      const path = join(options.folder, `${id}.s16le`);
      await placeVoice(audio.path, path, offset ?? 0, duration);
      const spoken = options.language === null ? language : null;
      return [{ path, speaker: name, language: spoken, levels: () => levelsOf(path), duration }];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async extract(
    key: string,
    { folder, signal, isAwaited }: Omit<ReadOptions, 'language'>,
  ): Promise<ExtractedAudio> {
    const { path: source } = await this.scratch.assemble([{ key }], join(folder, 'source'), signal);
    const request = { source, folder, ffmpeg: this.settings.ffmpegPath, isAwaited };
    return observed('process', 'extract', () =>
      extractAudio(request, { signal, onProgress: () => undefined }),
    );
  }
}

/** Null for what cannot be heard. */
async function ifPlayable<T>(audio: Promise<T>): Promise<T | null> {
  try {
    return await audio;
  } catch (error) {
    if (error instanceof UnplayableMediaError) return null;
    throw error;
  }
}

const levelsOf = async (path: string): Promise<Float32Array> =>
  Float32Array.from((await measuredAudio(path, Infinity)).levels);
