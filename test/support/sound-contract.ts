import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import type { MediaPackage } from '../../src/lib/media-engine/process/packager-messages.js';
import {
  expectLevels,
  levels,
  makeSounds,
  measureSounds,
  type MeasuredSound,
  type Sound,
  type SoundTrack,
} from './sounds.js';

const [ONE, OTHER] = [levels(3, 1), levels(2, 2)];
const vp8 = (seconds: number, width = 64, from = 0) => ({
  codec: 'libvpx',
  width,
  height: 48,
  seconds,
  from,
});
const h264 = (seconds: number, width = 64, from = 0) => ({
  codec: 'libx264',
  width,
  height: 48,
  seconds,
  from,
});
const opus = (own: readonly number[], more: Partial<SoundTrack> = {}): SoundTrack => {
  return { codec: 'libopus', rate: 48_000, channels: 1, levels: own, ...more };
};
const aac = (own: readonly number[], more: Partial<SoundTrack> = {}): SoundTrack => {
  return { codec: 'aac', rate: 48_000, channels: 1, levels: own, ...more };
};
const fragmented = { movflags: '+empty_moov+default_base_moof+frag_keyframe+negative_cts_offsets' };
/** Without an edit list, frames that are delayed by B-frames delay all tracks. */
const delayed = { movflags: '+empty_moov+default_base_moof+frag_keyframe' };
const DELAY = 0.2;
/** Two people take turns; the second one joins after a second. */
const ann = [0.4, 0.1, 0.4, 0.1, 0, 0, 0, 0, 0.4, 0.1, 0.4, 0.4];
const bob = [0.4, 0.1, 0.1, 0.4, 0, 0, 0, 0];
const together = [0.4, 0.1, 0.4, 0.1, 0.4, 0.1, 0.1, 0.4, 0.4, 0.1, 0.4, 0.4];

const SOUNDS: readonly Sound[] = [
  { name: 'ima.wav', format: 'wav', tracks: [{ ...aac(ONE), codec: 'adpcm_ima_wav', rate: 44_100 }] },
  { name: 'ms.wav', format: 'wav', tracks: [{ ...aac(ONE), codec: 'adpcm_ms', channels: 2 }] },
  { name: 'one.webm', format: 'webm', video: vp8(3), tracks: [opus(ONE)] },
  { name: 'other.webm', format: 'webm', video: vp8(2, 96), tracks: [opus(OTHER, { channels: 2 })] },
  { name: 'sound.webm', format: 'webm', tracks: [opus(OTHER)] },
  { name: 'one.mp4', format: 'mp4', muxer: fragmented, video: h264(3), tracks: [aac(ONE)] },
  { name: 'other.mp4', format: 'mp4', video: h264(2, 96), tracks: [aac(OTHER, { rate: 44_100 })] },
  { name: 'one.ts', format: 'mpegts', video: h264(3), tracks: [aac(ONE)] },
  { name: 'other.ts', format: 'mpegts', video: h264(2, 96), tracks: [aac(OTHER, { rate: 32_000 })] },
  { name: 'one.mp3', format: 'mp3', tracks: [{ ...aac(ONE), codec: 'libmp3lame' }] },
  { name: 'other.mp3', format: 'mp3', tracks: [{ ...aac(OTHER), codec: 'libmp3lame', channels: 2 }] },
  { name: 'one.wav', format: 'wav', tracks: [{ ...aac(ONE), codec: 'pcm_s16le', rate: 16_000 }] },
  { name: 'other.wav', format: 'wav', tracks: [{ ...aac(OTHER), codec: 'pcm_s24le', channels: 2 }] },
  { name: 'one.ogg', format: 'ogg', tracks: [opus(ONE, { channels: 2 })] },
  { name: 'other.ogg', format: 'ogg', tracks: [{ ...opus(OTHER), codec: 'flac' }] },
  {
    name: 'participants.mka',
    format: 'matroska',
    tracks: [opus(ann, { title: 'Ann' }), opus(bob, { title: 'Bob', from: 1 })],
  },
  {
    name: 'mixed-already.mp4',
    format: 'mp4',
    video: h264(3),
    tracks: [aac(together), aac(ann), aac(bob, { from: 1 })],
  },
  { name: 'second-track.mp4', format: 'mp4', tracks: [aac(levels(3).map(() => 0)), aac(ann)] },
  {
    name: 'dubbed.mka',
    format: 'matroska',
    tracks: [opus(ann, { language: 'eng' }), opus(bob, { language: 'fra' })],
  },
  { name: 'late-sound.mp4', format: 'mp4', video: h264(3), tracks: [aac(ONE.slice(0, 8), { from: 0.25 })] },
  { name: 'delayed.mp4', format: 'mp4', muxer: delayed, video: h264(3), tracks: [aac(ONE)] },
  { name: 'late-video.webm', format: 'webm', video: vp8(2, 64, 1), tracks: [opus(ONE)] },
  { name: 'short-video.webm', format: 'webm', video: vp8(1), tracks: [opus(ONE)] },
];

/** Files that were joined end to end, by the name of the result. */
const JOINED: Readonly<Record<string, readonly string[]>> = {
  'joined.webm': ['one.webm', 'other.webm'],
  'joined.mp4': ['one.mp4', 'other.mp4'],
  'joined.ts': ['one.ts', 'other.ts'],
  'joined.mp3': ['one.mp3', 'other.mp3'],
  'joined.wav': ['one.wav', 'other.wav'],
  'joined.ogg': ['one.ogg', 'other.ogg'],
  'sound-first.webm': ['sound.webm', 'one.webm'],
  'cut-first.webm': ['one.webm', 'other.webm'],
  'damaged-second.mp4': ['other.mp4', 'other.mp4'],
};
/** What of a part gets into the result, if not all. */
const CUT: Readonly<Record<string, readonly [part: number, to: number]>> = {
  'cut-first.webm': [0, -8_000],
  'damaged-second.mp4': [1, 4_000],
};
const PARTS = new Set(Object.values(JOINED).flat());
/** All that is packaged. */
const WHOLE = [...SOUNDS.map(({ name }) => name).filter((name) => !PARTS.has(name)), ...Object.keys(JOINED)];

interface Heard {
  readonly made: MediaPackage;
  /** What the playlist has. */
  readonly hls: MeasuredSound;
  /** What the single file has; null if that is the source. */
  readonly file: MeasuredSound | null;
}

/** Every packager keeps all of the sound, of recordings as people really send them; `only`: of these. */
export function keepsAllSound(ffmpeg: string | undefined, only?: ReadonlySet<string>): void {
  const names = WHOLE.filter((name) => only?.has(name) ?? true);
  const among = <Row extends readonly [string, ...unknown[]]>(rows: readonly Row[]): Row[] =>
    rows.filter(([name]) => names.includes(name));
  const heard = new Map<string, Heard>();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-sound-'));
    const needed = new Set(names.flatMap((name) => JOINED[name] ?? [name]));
    await makeSounds(
      folder,
      SOUNDS.filter(({ name }) => needed.has(name)),
    );
    for (const name of names) await joinFiles(name, JOINED[name] ?? []);
    const waiting = [...names];
    const made = new Map<string, { folder: string; made: MediaPackage }>();
    await Promise.all(
      [0, 1].map(async () => {
        for (let name = waiting.shift(); name; name = waiting.shift()) made.set(name, await pack(name));
      }),
    );
    const files = [...made].flatMap(
      ([
        name,
        {
          folder: target,
          made: { playlist, video },
        },
      ]) =>
        [playlist, ...(video ? [video.path] : [])].map((path) => ({
          path: join(target, path),
          origin: name === 'delayed.mp4' ? DELAY : 0,
        })),
    );
    const measured = await measureSounds(files);
    for (const [name, one] of made) {
      const [hls, file = null] = measured.splice(0, one.made.video ? 2 : 1);
      if (hls) heard.set(name, { made: one.made, hls, file });
    }
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(
    among<[string, string, readonly number[]]>([
      ['ima.wav', 'several frames in a packet without a time of their own', ONE],
      ['ms.wav', 'the same in stereo', ONE],
      ['joined.webm', 'a recorder that was reloaded', [...ONE, ...OTHER]],
      ['joined.mp4', 'a fragmented MP4, then another one', [...ONE, ...OTHER]],
      ['joined.ts', 'a transport stream, then another one', [...ONE, ...OTHER]],
      ['joined.mp3', 'two files of MP3', [...ONE, ...OTHER]],
      ['joined.wav', 'two files of WAV', [...ONE, ...OTHER]],
      ['joined.ogg', 'two files of Ogg', [...ONE, ...OTHER]],
      ['sound-first.webm', 'a first part without video', [...OTHER, ...ONE]],
      ['participants.mka', 'two participants, one of whom joins later', together],
      ['mixed-already.mp4', 'a first track that is the mix of the others', together],
      ['second-track.mp4', 'a first track that is silent', ann],
      ['late-sound.mp4', 'sound that begins a little late', [0, ...ONE.slice(0, 8)]],
      ['delayed.mp4', 'tracks that are delayed together', ONE],
      ['late-video.webm', 'video that begins late', ONE],
      ['short-video.webm', 'video that ends early', ONE],
    ]),
  )('is complete in %s: %s', (name, _what, expected) => {
    const { made, hls, file } = found(name);
    expect([name, made.notice]).toEqual([name, null]);
    for (const { levels: own, seconds } of file ? [hls, file] : [hls]) {
      expectLevels(own, expected);
      expect(Math.abs(seconds - expected.length / 4)).toBeLessThan(0.15);
    }
  });

  it.each(
    among<[string, number]>([
      ['joined.webm', 5],
      ['joined.mp4', 5],
      ['joined.ts', 5],
      ['sound-first.webm', 5],
      ['late-video.webm', 3],
      ['delayed.mp4', 3],
      ['short-video.webm', 3],
    ]),
  )('has pictures from beginning to end in %s', (name, seconds) => {
    const { video } = found(name).hls;
    expect(Math.abs(video?.start ?? Infinity)).toBeLessThan(0.15);
    expect(Math.abs((video?.end ?? 0) - seconds)).toBeLessThan(0.25);
  });

  about('goes on after a part that was cut off', 'cut-first.webm', ({ made, hls }) => {
    const [, rest = ''] =
      /^According to its header the file lasts 3\.0 s, but it contains only ([\d.]+) s; the rest is missing from it\.$/.exec(
        made.notice ?? '',
      ) ?? [];
    expect(Math.abs(hls.seconds - Number(rest) - 2)).toBeLessThan(0.2);
    expectLevels(hls.levels, ONE.slice(0, Math.floor(4 * Number(rest))));
  });

  about('says which part cannot be read', 'damaged-second.mp4', ({ made, hls }) => {
    expect(made.notice).toMatch(
      /^Of 2 recordings that are joined in the file, 1 \(4 KB\) cannot be read and is missing: /,
    );
    expectLevels(hls.levels, OTHER);
  });

  about(
    'is that of the first track if others are in different languages, and says so',
    'dubbed.mka',
    ({ made, hls }) => {
      expect(made.notice).toBe(
        'The file has 2 tracks of sound in different languages: only the first one is played. The original has all of them.',
      );
      expectLevels(hls.levels, ann);
    },
  );

  about('is not converted if it plays everywhere', 'mixed-already.mp4', ({ made }) => {
    expect(made.video).toBeNull();
  });
  about('is converted if another track than the first is played', 'second-track.mp4', ({ made }) => {
    expect(made.video).not.toBeNull();
  });

  function about(title: string, name: string, check: (result: Heard) => void): void {
    if (names.includes(name)) it(`${title}: ${name}`, () => check(found(name)));
  }

  async function pack(name: string): Promise<{ folder: string; made: MediaPackage }> {
    const target = await mkdtemp(join(folder, 'package-'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    return {
      folder: target,
      made: await packageMedia({ source: join(folder, name), folder: target, ffmpeg }, options),
    };
  }

  function found(name: string): Heard {
    const result = heard.get(name);
    if (!result) throw new Error(`${name} was not packaged`);
    return result;
  }

  async function joinFiles(name: string, parts: readonly string[]): Promise<void> {
    if (parts.length === 0) return;
    const [cut, to] = CUT[name] ?? [];
    const contents = await Promise.all(
      parts.map(async (part, index) => {
        const content = await readFile(join(folder, part));
        return index === cut ? content.subarray(0, to) : content;
      }),
    );
    await writeFile(join(folder, name), Buffer.concat(contents));
  }
}
