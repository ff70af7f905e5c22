import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from '@jest/globals';
import { MORE_DATA, type Requirement } from './requirements.js';

const INCLUDED = resolve('test/data');
const MORE = resolve(process.env['MRS_TEST_DATA'] ?? '');
const always = { describe, it };
const withMore = { describe: MORE_DATA.describe, it: MORE_DATA.it };

/** A real meeting or media file. Its `describe` and `it` skip if this machine does not have it. */
type Sample = Pick<Requirement, 'describe' | 'it'> & { readonly name: string };

export type Meeting = Sample & {
  /** Files that Zoom has exported. */
  readonly captions: () => Buffer;
  /** Notes taken by people, and when it was said (`HH:MM:SS`). */
  readonly highlights: () => { readonly timestamp: string; readonly highlight: string }[];
};

interface Notes {
  readonly highlights: Readonly<Record<string, ReturnType<Meeting['highlights']>>>;
}

export type Media = Sample & {
  readonly path: string;
  /** Duration, to a tenth of a second. */
  readonly seconds: number;
};

/** Part of the repository; `test/data/NOTICE.md` has sources and licenses. */
export const INCLUDED_MEETINGS = ['acdc-2026-02-05_174', 'fcr-2026-03-03_004'].map((name) =>
  meeting(INCLUDED, { name, ...always }),
);

export const MEETINGS: readonly Meeting[] = [
  ...INCLUDED_MEETINGS,
  ...[
    'acde-2026-03-26_233',
    'acdt-2026-02-09_069',
    'allwalletdevs-2026-02-18_038',
    'bal-2026-02-11_012',
    'encryptthemempool-2026-02-18_000',
    'focil-2026-02-10_028',
    'nativeaa-2026-04-22_001',
    'one-off-1954-2026-03-05_001',
    'pqinterop-2026-02-25_028',
    'zkevm-2026-02-11_001',
  ].map((name) => meeting(MORE, { name, ...withMore })),
];

export const MEDIA: readonly Media[] = [
  media(INCLUDED, 8.3, { name: 'frog.webm', ...always }),
  media('demo', 18.4, { name: 'depot-walk-through.mp4', ...always }),
  media('demo', 64.4, { name: 'allotment-committee.mp4', ...always }),
  media(MORE, 7.8, { name: 'rabbit320.mp4', ...withMore }),
];

function media(folder: string, seconds: number, sample: Sample): Media {
  return { ...sample, path: resolve(folder, 'media', sample.name), seconds };
}

function meeting(folder: string, sample: Sample): Meeting {
  const read = (file: string): Buffer => readFileSync(join(folder, 'meetings', sample.name, file));
  return {
    ...sample,
    captions: () => read('transcript.vtt'),
    highlights: () => Object.values((JSON.parse(read('tldr.json').toString()) as Notes).highlights).flat(),
  };
}
