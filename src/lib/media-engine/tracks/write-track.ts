import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { durationText } from '../../amounts.js';
import { findOffset, type Sound } from '../audio/alignment.js';
import { measuredAudio, SAMPLE_BYTES, samplesOf, type AudioFile } from '../audio/audio-format.js';
import { isSilent } from '../audio/level-comparison.js';
import { fragments, samples } from '../engine/conversions.js';
import { writePlaylists } from '../engine/hls-playlists.js';
import type { MediaTool, SoundCount } from '../engine/media-tool.js';
import { missingMedia } from '../engine/missing-media.js';
import type { SourceMedia } from '../engine/source-media.js';
import { readPlayed, readWritten, startOf, writePackage } from '../engine/write-package.js';
import { MEDIA_LIMITS } from '../media-limits.js';
import { UnplayableMediaError } from '../media.errors.js';
import {
  AUDIO_PLAYLIST,
  PEAKS,
  type TrackPackage,
  type TrackRequest,
  type WorkOptions,
} from '../process/packager-messages.js';
import { mediaType } from '../source-file.js';
import { encodedFile } from './write-mix.js';
import { writePeaks } from './write-peaks.js';

const [HEARD, ENCODED] = ['track.s16le', 'track.m4a'];

type Played = Awaited<ReturnType<typeof readPlayed>>;

/** Creates what plays a track; throws as `packageTrack` does. */
export async function writeTrack(
  request: TrackRequest,
  tool: MediaTool,
  { onProgress }: WorkOptions,
): Promise<TrackPackage> {
  const { source, folder } = request;
  const played = await readPlayed(tool, source);
  const { bytes, file, media, tracks, sound } = played;
  const options = { onInspected: () => undefined, onProgress: (done: number) => onProgress(done / 2) };
  // Without any sound, it is refused if there is no picture either.
  const video = tracks.video || !tracks.audio ? await writePackage({ source, folder }, tool, options) : null;
  let heard: AudioFile | null = null;
  if (tracks.audio) {
    const outputs = [samples(HEARD, tracks.audio)];
    await tool.convert({ inputs: media.inputs, outputs, until: media.stopAt(bytes) });
    heard = await measuredAudio(join(folder, HEARD), bytes);
  }
  const { offset, alignment } = await align(request, media, heard);
  const silent = !heard || isSilent(heard.levels);
  const onTime = (seconds: number) => onProgress(0.5 + media.doneAt(seconds - offset) / 2);
  const made = silent ? null : await writeRendition(tool, played, offset, onTime);
  await writePeaks(heard, offset, media.end, join(folder, PEAKS));
  await rm(join(folder, HEARD), { force: true });
  const ends = { duration: media.end, video: null, audio: made?.end ?? media.end };
  const missing = missingMedia(media, { ...tracks, video: null }, ends, made?.count ?? null);
  onProgress(1);
  return {
    offset,
    alignment,
    duration: media.end,
    sourceType: mediaType(file, video !== null),
    audioPlaylist: silent ? null : AUDIO_PLAYLIST,
    video,
    notice: video ? video.notice : [missing, sound.notice].filter(Boolean).join(' ') || null,
  };
}

/** Throws `UnplayableMediaError` if the offset that is given leaves nothing, or goes beyond all limits. */
async function align(
  { offset: given, others: [mix] = [], recordingStartedAt }: TrackRequest,
  media: SourceMedia,
  heard: AudioFile | null,
): Promise<Pick<TrackPackage, 'offset' | 'alignment'>> {
  const { end: duration } = media;
  const fits = (offset: number): boolean =>
    offset + duration > 0 && offset + duration <= MEDIA_LIMITS.duration;
  if (given !== null) {
    if (!fits(given))
      throw new UnplayableMediaError(
        `With an offset of ${given} s, the track (${durationText(duration)}) does not end within the ${durationText(MEDIA_LIMITS.duration)} that a recording may last.`,
      );
    return { offset: given, alignment: 'given' };
  }
  if (mix !== undefined && heard && !isSilent(heard.levels)) {
    await using own = await open(heard.path);
    await using all = await open(mix);
    const { levels } = await measuredAudio(mix, Infinity);
    const sound = (file: FileHandle, of: Sound['levels']): Sound => ({
      levels: of,
      read: (from, count) => readSamples(file, from, count),
    });
    const found = await findOffset(sound(own, heard.levels), sound(all, levels));
    if (found !== null && fits(found)) return { offset: found, alignment: 'mix' };
  }
  const start = startOf(media)?.getTime() ?? Number.NaN;
  const seconds = (start - Date.parse(recordingStartedAt ?? '')) / 1_000;
  return fits(seconds) ? { offset: seconds, alignment: 'clock' } : { offset: 0, alignment: 'none' };
}

/** Zeros where there are none. */
async function readSamples(file: FileHandle, from: number, count: number): Promise<Float64Array> {
  const missing = Math.min(count, Math.max(0, -from));
  const bytes = Buffer.alloc((count - missing) * SAMPLE_BYTES);
  await file.read(bytes, 0, bytes.length, (from + missing) * SAMPLE_BYTES);
  const read = new Float64Array(count);
  read.set(samplesOf(bytes), missing);
  return read;
}

/** Writes the sound on the time line of the recording, for players that choose between renditions. */
async function writeRendition(
  tool: MediaTool,
  { file, media, sound }: Played,
  offset: number,
  onTime: (seconds: number) => void,
): Promise<{ readonly end: number; readonly count: SoundCount | null }> {
  const moved = media.moved(offset);
  const tracks = { video: null, audio: moved.trackOf(sound.select) };
  const encoded = encodedFile(file, moved, tracks);
  const count = await tool.convert({
    inputs: moved.inputs,
    together: true,
    outputs: [{ ...encoded, name: ENCODED }],
    until: moved.stopAt(Infinity),
    onTime,
  });
  const base = await readWritten(tool, join(tool.folder, ENCODED));
  const outputs = [fragments(base.tracks, 'audio.mp4')];
  await tool.convert({ inputs: base.media.inputs, outputs, until: Infinity });
  const made = await writePlaylists('audio', tool.folder);
  await rm(join(tool.folder, ENCODED));
  // What is cut off counts as lost.
  return { end: (made.audio ?? 0) - offset, count: offset < 0 ? null : count };
}
