import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AUDIO_FILE, AUDIO_RATE, LEVELS_FILE, levelBytes, SAMPLE_BYTES } from './audio-format.js';
import type { AudioFile } from './measured-audio.js';
import type { ExtractedFiles } from '../process/packager-messages.js';
import { whoSpeaks, type TrackLabel } from './who-speaks.js';

export const CHANNEL_NAMES = ['left', 'right'] as const;

/** A track whose audio has been written. */
export interface WrittenTrack extends Omit<TrackLabel, 'language'> {
  /** Its place among the tracks of the source. */
  readonly place: number;
  /** The mix of all its channels. */
  readonly mix: AudioFile;
  /** Left and right; null unless it is the only track of the file, and has two channels. */
  readonly channels: readonly [AudioFile, AudioFile] | null;
}

/** Name of the file that a track, or one of its channels, is written to until it is known which of them are voices. */
export function trackFile(track: number, channel?: (typeof CHANNEL_NAMES)[number]): string {
  return channel ? `track-${track}-${channel}.s16le` : `track-${track}.s16le`;
}

/**
 * Decides who speaks, writes the mix and its levels, and removes the files of tracks that are not voices. `mixOf`
 * writes the mix of several tracks.
 */
export async function finishVoices(
  folder: string,
  tracks: readonly WrittenTrack[],
  mixOf: (tracks: readonly WrittenTrack[]) => Promise<AudioFile>,
): Promise<ExtractedFiles> {
  const chosen = whoSpeaks(
    tracks.map(({ title, primary, mix, channels }) => ({
      title,
      primary,
      levels: mix.levels,
      channels: channels && [channels[0].levels, channels[1].levels],
    })),
  );
  const voiced = [...new Set(chosen.flatMap(({ track }) => tracks[track] ?? []))];
  const [only] = voiced;
  const mix = voiced.length === 1 && only ? only.mix : await mixOf(voiced);
  const isSplit = chosen.length > 1 && voiced.length === 1;
  const files = (isSplit ? only?.channels : null) ?? voiced.map((track) => track.mix);
  // Voices have the length of the mix, so that a time in it is a time in each of them; this takes no space.
  for (const { path } of files) await truncate(path, mix.length * SAMPLE_BYTES);
  await rename(mix.path, join(folder, AUDIO_FILE));
  await writeFile(join(folder, LEVELS_FILE), levelBytes(mix.levels), { mode: 0o600 });
  const voices = chosen.map(({ speaker }, place) => {
    const file = files[place] ?? mix;
    return { name: file === mix ? AUDIO_FILE : basename(file.path), speaker };
  });
  const kept = new Set(voices.map(({ name }) => name));
  const names = (await readdir(folder)).filter((name) => name.startsWith('track-') && !kept.has(name));
  for (const name of names) await rm(join(folder, name));
  return { duration: mix.length / AUDIO_RATE, voices };
}
