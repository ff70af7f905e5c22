import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A recording to generate. */
export interface Sound {
  readonly name: string;
  /** FFmpeg's names of the container and the codecs. */
  readonly format: string;
  /** Options of the muxer. */
  readonly muxer?: Readonly<Record<string, string>>;
  readonly tracks: readonly SoundTrack[];
  readonly video?: {
    readonly codec: string;
    readonly width: number;
    readonly height: number;
    readonly seconds: number;
    readonly from?: number;
  };
}

export interface SoundTrack {
  readonly codec: string;
  /** Hertz. */
  readonly rate: number;
  readonly channels: number;
  /** Amplitude of a tone in each quarter of a second, 0 to 1. */
  readonly levels: readonly number[];
  /** Seconds; 0 by default. */
  readonly from?: number;
  readonly title?: string;
  readonly language?: string;
}

/** What a player hears, and when it shows pictures. Seconds. */
export interface MeasuredSound {
  readonly seconds: number;
  /** Amplitude of a tone in the middle of each quarter of a second. */
  readonly levels: readonly number[];
  readonly video: { readonly start: number; readonly end: number } | null;
}

/** Amplitudes that differ from quarter to quarter, and between seeds. */
export function levels(seconds: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: 4 * seconds }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return [0.08, 0.16, 0.32, 0.6][state >>> 30] ?? 0;
  });
}

export async function makeSounds(folder: string, sounds: readonly Sound[]): Promise<void> {
  const list = join(folder, 'sounds.json');
  await writeFile(list, JSON.stringify(sounds));
  await run(process.execPath, [here('make-sounds.mjs'), list]);
}

/** Times are counted from `origin`, in seconds; 0 by default. */
export async function measureSounds(
  files: readonly { readonly path: string; readonly origin?: number }[],
): Promise<MeasuredSound[]> {
  const { stdout } = await run(process.execPath, [here('read-levels.mjs'), JSON.stringify(files)]);
  return JSON.parse(stdout) as MeasuredSound[];
}

/**
 * Expects these amplitudes, quarter by quarter, within 3 dB of each other's proportion: mixing channels together
 * changes the volume as a whole. The last quarter may be incomplete.
 */
export function expectLevels(heard: readonly number[], expected: readonly number[]): void {
  const quarters = expected.slice(0, -1);
  const gains = quarters.flatMap((level, place) => (level > 0 ? [(heard[place] ?? 0) / level] : []));
  const usual = gains.toSorted((one, other) => one - other)[Math.floor(gains.length / 2)] ?? 1;
  expect(usual).toBeGreaterThan(0.35);
  expect(usual).toBeLessThan(3.6);
  const wrong = quarters.flatMap((level, place) => {
    const own = (heard[place] ?? 0) / usual;
    const isRight = level === 0 ? own < 0.02 : own > level * 0.7 && own < level * 1.42;
    return isRight ? [] : [{ seconds: place / 4, expected: level, heard: own }];
  });
  expect(wrong).toEqual([]);
}
