import { readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AUDIO_FILE, AUDIO_RATE, LEVELS_FILE, levelBytes, SAMPLE_BYTES } from './audio-format.js';
import { sumOf } from './audio-sum.js';
import type { AudioFile } from './measured-audio.js';
import type { Levels } from './level-comparison.js';
import { whoSpeaks } from './who-speaks.js';

export const CHANNEL_NAMES = ['left', 'right'] as const;

/** A track whose audio has been written. */
export interface WrittenTrack {
  readonly title: string | null;
  readonly primary: boolean;
  /** Of all its channels. */
  readonly mix: AudioFile;
  /** Levels of the left and the right channel; null unless it is the only track of the file, and has two channels. */
  readonly channels: readonly [Levels, Levels] | null;
}

/** The result of extraction: the mix is in `AUDIO_FILE`, its levels in `LEVELS_FILE`. */
export interface ExtractedFiles {
  /** Seconds. */
  readonly duration: number;
  readonly voices: readonly {
    /** Of its file in the folder. */
    readonly name: string;
    readonly speaker: string;
  }[];
}

const SUM_FILE = 'track-sum.s16le';

/** Name of the file that a track, or one of its channels, is written to until it is known which of them are voices. */
export function trackFile(track: number, channel?: (typeof CHANNEL_NAMES)[number]): string {
  return channel ? `track-${track}-${channel}.s16le` : `track-${track}.s16le`;
}

/**
 * Decides who speaks, writes the mix and its levels, and removes the files of tracks that are not voices. `split` returns
 * the files of the two channels.
 */
export async function finishVoices(
  folder: string,
  tracks: readonly WrittenTrack[],
  split: () => Promise<readonly AudioFile[]>,
): Promise<ExtractedFiles> {
  const chosen = whoSpeaks(tracks.map((track) => ({ ...track, levels: track.mix.levels })));
  const mixes = new Set(chosen.flatMap(({ track }) => tracks[track]?.mix ?? []));
  const [mix] = mixes.size === 1 ? mixes : [await sumOf([...mixes], join(folder, SUM_FILE))];
  if (!mix) throw new Error('no voice was chosen');
  const channels = chosen.length > 1 && mixes.size === 1 ? await split() : null;
  const files = channels ?? [...mixes];
  // Voices have the length of the mix, so that a time in it is a time in each of them; this takes no space.
  for (const { path } of files) await truncate(path, mix.length * SAMPLE_BYTES);
  await rename(mix.path, join(folder, AUDIO_FILE));
  await writeFile(join(folder, LEVELS_FILE), levelBytes(mix.levels), { mode: 0o600 });
  const voices = chosen.map(({ speaker }, place) => {
    const file = files[place] ?? mix;
    return { name: file === mix ? AUDIO_FILE : basename(file.path), speaker };
  });
  await removeTracks(folder, new Set(voices.map(({ name }) => name)));
  return { duration: mix.length / AUDIO_RATE, voices };
}

async function removeTracks(folder: string, kept: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('track-') && !kept.has(name));
  for (const name of names) await rm(join(folder, name));
}
