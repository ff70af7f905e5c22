import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import type { InspectedMedia, MediaPackage } from '../../src/lib/media-engine/process/packager-messages.js';
import {
  allFiles,
  childProcesses,
  digest,
  isFastStart,
  makeMedia,
  readPackages,
  type ReadPackage,
} from './media.js';
import { BOMBS, wav } from './media-bombs.js';
import { PLAYABLE, VIDEO, type Playable } from './playable-media.js';
import type { Media } from './test-data.js';

/** Has to be encoded, and plays in browsers. */
const PLAYED_MEANWHILE = new Set([
  'rotated.mp4',
  'vp8.webm',
  'live.webm',
  'odd.webm',
  'paused.webm',
  'sound.webm',
  'sound.ogg',
  'sound.wav',
]);

/** Is at work long enough to be stopped. */
const LONGEST = 'paused.webm';
/** Files that end too early. */
const CUT = ['cut.webm', 'cut-fragmented.mp4', 'cut-fast-start.mp4'];
const UNPLAYABLE: readonly (readonly [name: string, message: string])[] = [
  ['empty.mp4', 'The file is empty.'],
  ['text.mp4', 'The file is not an audio or video file.'],
  ['playlist.m3u8', 'The file is not an audio or video file.'],
  ['no-index.mp4', 'The file is truncated: its index (moov) is missing. Upload the complete file.'],
  ['encrypted.mp4', 'The file is encrypted. Upload an unencrypted copy.'],
];

/**
 * The contract of every packager; `only`: for these files and bombs. Returns how to get the folder of the media that it
 * makes.
 */
export function keepsPackagerContract(
  ffmpeg: string | undefined,
  { real = [], only }: { readonly real?: readonly Media[]; readonly only?: ReadonlySet<string> } = {},
): () => string {
  const isMeant = (name: string): boolean => only?.has(name) ?? true;
  const playable = PLAYABLE.filter(({ name }) => isMeant(name));
  const bombs = BOMBS.filter(({ name }) => isMeant(name));
  const results = new Map<string, Result>();
  const folders: string[] = [];
  let sources: string;

  beforeAll(async () => {
    sources = await makeMedia(only && [...only, ...bombs.map(({ from }) => from), LONGEST]);
    folders.push(sources);
    const half = Math.ceil(playable.length / 2);
    await Promise.all([playable.slice(0, half), playable.slice(half)].map((items) => packageAll(items)));
    const made = [...results.values()];
    const read = await readPackages(made.map(({ folder, file }) => ({ folder, file })));
    for (const [index, result] of made.entries()) result.read = read[index];
  }, 300_000);
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  const cases = playable.map((item): [string, Playable] => [item.name, item]);

  it.each(cases)('packages %s', async (name, { type, duration, file, size, sound }) => {
    const { made, folder, read } = found(name);
    expect(made).toMatchObject({ sourceType: type, video: file });
    expectNear(made.duration, duration);

    expectNear(read.hls.start, 0);
    expectNear(read.hls.duration, duration);
    expect(read.hls.video?.codec).toBe(size ? 'avc' : undefined);
    expect(read.hls.audio?.codec).toBe(sound ? 'aac' : undefined);
    if (read.file && file) {
      expectNear(read.file.duration, duration);
      expect([read.file.video?.codec, read.file.audio?.codec]).toEqual([
        read.hls.video?.codec,
        read.hls.audio?.codec,
      ]);
      expect(isFastStart(join(folder, file.path))).toBe(true);
    }
    const names = ['master.m3u8', 'media.m3u8', 'media.mp4'].map((part) => `hls/${part}`);
    expect(await allFiles(folder)).toEqual([...names, made.thumbnail, ...(file ? [file.path] : [])].sort());
  });

  it.each(cases)(
    'says once what %s is, and whether browsers play it meanwhile',
    (name, { type, duration }) => {
      const { inspected } = found(name);
      expect(inspected).toMatchObject([{ sourceType: type, playable: PLAYED_MEANWHILE.has(name) }]);
      const known = inspected[0]?.duration ?? null;
      if (known !== null) expectNear(known, duration);
    },
  );

  it.each(cases)('writes playlists of %s that match the segments', (name, { size, duration }) => {
    const { segments, hls } = found(name).read;
    expect(segments.playlist).toMatch(/#EXT-X-PLAYLIST-TYPE:VOD\n[^]*#EXT-X-ENDLIST/);
    const [, target] = /#EXT-X-TARGETDURATION:(\d+)/.exec(segments.playlist) ?? [];
    for (const seconds of segments.durations) expect(Math.round(seconds)).toBeLessThanOrEqual(Number(target));
    expectNear(
      segments.durations.reduce((sum, seconds) => sum + seconds, 0),
      duration,
    );
    const codecs = [...(size ? ['avc1\\.[0-9a-f]{6}'] : []), ...(hls.audio ? ['mp4a\\.40\\.2'] : [])].join(
      ',',
    );
    expect(segments.master).toMatch(new RegExp(`BANDWIDTH=[1-9]\\d*,.*CODECS="${codecs}"`));
    if (size) expect(segments.master).toContain(`RESOLUTION=${size[0]}x${size[1]}`);
    if (size) expect(segments.keys).toEqual(segments.durations.map(() => true));
  });

  it.each(cases)('shows %s upright, with picture and audio in sync', async (name, { size }) => {
    const { made, folder, read } = found(name);
    const turned = name === 'rotated.mp4';
    for (const { video, audio } of [read.hls, ...(made.video && read.file ? [read.file] : [])]) {
      if (video) expect([video.width, video.height, video.rotation]).toEqual([...(size ?? []), 0]);
      if (video) expect(video.redCorner).toBe(turned ? 'topRight' : 'topLeft');
      if (typeof video?.flashAt === 'number') expectNear(video.flashAt, 1);
      if (typeof audio?.beepAt === 'number') expectNear(audio.beepAt, 1);
    }
    const picture = sharp(join(folder, made.thumbnail));
    const { format, width, height } = await picture.metadata();
    expect([format, width, height]).toEqual(['jpeg', ...(size ?? [640, 360])]);
    if (!size) return;
    const data = await picture.raw().toBuffer();
    const at = 3 * (20 * width + (turned ? width - 20 : 20));
    expect((data[at] ?? 0) - (data[at + 1] ?? 0)).toBeGreaterThan(60);
  });

  it('reports progress that never decreases, and does not modify the source', () => {
    for (const { name } of playable) {
      const { progress, unchanged } = found(name);
      expect(progress).toEqual([...progress].sort((first, second) => first - second));
      expect(progress.at(-1)).toBe(1);
      expect(unchanged).toBe(true);
    }
  });

  if (isMeant('late-sound.mkv'))
    it('pads a track that starts late', () => {
      expectNear(found('late-sound.mkv').read.hls.audio?.seconds ?? 0, 4);
    });

  it.each(CUT.filter(isMeant))('packages %s as far as it is readable', async (name) => {
    const { made, folder } = await pack(join(sources, name));
    expect(made.video).toEqual(VIDEO);
    expect(made.duration).toBeGreaterThan(1);
    expect(made.duration).toBeLessThan(2.95);
    const [read] = await readPackages([{ folder, file: join(folder, 'video.mp4') }]);
    expectNear(read?.hls.duration ?? 0, made.duration);
    expectNear(read?.file?.duration ?? 0, made.duration);
  });

  it.each(UNPLAYABLE.filter(([name]) => isMeant(name)))(
    'says of %s that it will never play, and why',
    async (name, message) => {
      await expect(pack(join(sources, name))).rejects.toMatchObject({
        name: 'UnplayableMediaError',
        message,
      });
    },
  );

  it.each(bombs.map((bomb) => [bomb.name, bomb] as const))('rejects %s at once', async (_name, bomb) => {
    const source = join(sources, 'bomb');
    await writeFile(source, bomb.make(await readFile(join(sources, bomb.from))));
    await expect(pack(source)).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: expect.stringMatching(bomb.reason),
    });
  });

  if (isMeant('telephone.wav'))
    it('packages telephone audio, which has a low bit rate', async () => {
      const source = join(sources, 'telephone.wav');
      await writeFile(source, wav({ sampleRate: 8_000, bytes: 80_000 }));
      expectNear((await pack(source)).made.duration, 10);
    });

  it('fails with an ordinary error if the source is missing', async () => {
    const error = await pack(join(sources, 'gone.mp4')).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('ENOENT') });
    expect(error).not.toMatchObject({ name: 'UnplayableMediaError' });
  });

  it('stops on request, and leaves no process behind', async () => {
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const started = pack(join(sources, LONGEST), () => controller.abort(reason), controller.signal);
    await expect(started).rejects.toBe(reason);
    expect([...childProcesses('packager.process'), ...childProcesses('ffmpeg')]).toEqual([]);
  });

  for (const media of real) {
    media.it(`packages the real ${media.name}`, async () => {
      const { made, folder } = await pack(media.path);
      const [read] = await readPackages([{ folder }]);
      expect(made.duration).toBeCloseTo(media.seconds, 1);
      expectNear(read?.hls.duration ?? 0, made.duration);
      expect([read?.hls.video?.codec, read?.hls.audio?.codec]).toEqual(['avc', 'aac']);
    });
  }

  return () => sources;

  async function packageAll(items: readonly Playable[]): Promise<void> {
    for (const { name, file } of items) {
      const source = join(sources, name);
      const before = await digest(source);
      const progress: number[] = [];
      const { made, folder, inspected } = await pack(source, (fraction) => progress.push(fraction));
      const unchanged = (await digest(source)) === before;
      results.set(name, {
        made,
        folder,
        inspected,
        progress,
        unchanged,
        file: file ? join(folder, file.path) : undefined,
      });
    }
  }

  function found(name: string): Result & { read: ReadPackage } {
    const result = results.get(name);
    if (!result?.read) throw new Error(`${name} was not packaged`);
    return { ...result, read: result.read };
  }

  async function pack(
    source: string,
    onProgress: (fraction: number) => void = () => undefined,
    signal = new AbortController().signal,
  ): Promise<{ made: MediaPackage; folder: string; inspected: InspectedMedia[] }> {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-package-'));
    folders.push(folder);
    const inspected: InspectedMedia[] = [];
    const onInspected = (media: InspectedMedia): void => void inspected.push(media);
    const made = await packageMedia({ source, folder, ffmpeg }, { signal, onProgress, onInspected });
    return { made, folder, inspected };
  }
}

interface Result {
  readonly made: MediaPackage;
  readonly folder: string;
  readonly inspected: InspectedMedia[];
  readonly progress: number[];
  readonly unchanged: boolean;
  readonly file: string | undefined;
  read?: ReadPackage;
}

/** Seconds; an imperceptible difference. */
function expectNear(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThan(0.15);
}
