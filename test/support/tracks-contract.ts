import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  extractAudio,
  mixTracks,
  packageTrack,
  splitTracks,
} from '../../src/lib/media-engine/media-engine.js';
import type { TrackRequest } from '../../src/lib/media-engine/process/packager-messages.js';
import { allFiles } from './media.js';
import { expectLevels, levels, makeSounds, measureSounds, type Sound, type SoundTrack } from './sounds.js';

const [ADA, BEN] = [levels(3, 1), levels(4, 5)];
const NOTHING = levels(3).map(() => 0);
const quiet = (seconds: number): number[] => Array.from({ length: 4 * seconds }, () => 0);
const opus = (own: readonly number[], more: Partial<SoundTrack> = {}): SoundTrack => {
  return { codec: 'libopus', rate: 48_000, channels: 1, levels: own, ...more };
};
const h264 = (seconds: number) => ({ codec: 'libx264', width: 64, height: 48, seconds });
const SOUNDS: readonly Sound[] = [
  { name: 'ada.ogg', format: 'ogg', tracks: [opus(ADA)] },
  {
    name: 'ben.wav',
    format: 'wav',
    tracks: [{ ...opus(BEN), codec: 'pcm_s16le', rate: 44_100, channels: 2 }],
  },
  { name: 'silent.ogg', format: 'ogg', tracks: [opus(NOTHING)] },
  { name: 'screen.mp4', format: 'mp4', video: h264(3), tracks: [] },
  { name: 'camera.mp4', format: 'mp4', video: h264(3), tracks: [{ ...opus(ADA), codec: 'aac' }] },
  {
    name: 'people.mka',
    format: 'matroska',
    tracks: [
      opus(ADA, { title: 'Ada', language: 'eng' }),
      opus(NOTHING, { title: 'Nobody' }),
      opus(BEN, { title: 'Track 3', from: 2 }),
      opus(ADA, { title: 'Ada again' }),
    ],
  },
];
/** Real speech: the second one is in the first one's meeting. */
const [MEETING, GUEST, OTHER] = ['customer-call', 'depot-walk-through', 'incident-retrospective'].map(
  (name) => resolve('demo/media', `${name}.mp4`),
);

/** What every tool makes of the tracks of a recording. */
export function keepsTracksContract(ffmpeg: string | undefined): void {
  let sources: string;
  beforeAll(async () => {
    sources = await mkdtemp(join(tmpdir(), 'mrs-tracks-'));
    await makeSounds(sources, SOUNDS);
  }, 120_000);
  afterAll(() => rm(sources, { recursive: true, force: true }));

  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const newFolder = () => mkdtemp(join(sources, 'made-'));
  const pathOf = (name = ''): string => resolve(sources, name);

  async function pack(name: string | undefined, given: Partial<TrackRequest>) {
    const folder = await newFolder();
    const request = { offset: null, recordingStartedAt: null, ffmpeg, ...given };
    const made = await packageTrack({ ...request, source: pathOf(name), folder }, options);
    const peaks = JSON.parse(await readFile(join(folder, 'peaks.json'), 'utf8')) as { data: number[] };
    return { ...made, folder, peaks };
  }

  /** Files in the order of the mix, of which the first one may be the picture. */
  async function mix(
    files: readonly (readonly [name: string | undefined, offset: number])[],
    hasPicture = false,
  ) {
    const [source = '', ...others] = files.map(([name]) => pathOf(name));
    const offsets = files.map(([, offset]) => offset);
    const request = { source, others, offsets, hasPicture, folder: await newFolder(), ffmpeg };
    return mixTracks(request, options);
  }

  async function heardIn(path: string) {
    const [sound] = await measureSounds([{ path }]);
    return sound!;
  }

  it.each([
    ['ada.ogg', 'late', 2.5, [...quiet(3).slice(2), ...ADA]],
    ['ben.wav', 'late', 1.25, [...quiet(2).slice(3), ...BEN]],
    ['ada.ogg', 'early', -1, ADA.slice(4)],
    ['ben.wav', 'early', -0.75, BEN.slice(3)],
  ])('play %s in a recording, %s', async (name, _how, offset, expected) => {
    const { folder, audioPlaylist, ...made } = await pack(name, { offset });
    expect(made).toMatchObject({ offset, alignment: 'given', video: null, notice: null });
    const { levels: own, seconds } = await heardIn(join(folder, audioPlaylist ?? ''));
    expectLevels(own, expected);
    expect(Math.abs(seconds - expected.length / 4)).toBeLessThan(0.15);
    expect(await allFiles(folder)).toEqual(['hls/audio.m3u8', 'hls/audio.mp4', 'peaks.json']);
  });

  it('are not played if they are silent', async () => {
    const made = await pack('silent.ogg', { offset: 1 });
    expect(made).toMatchObject({ audioPlaylist: null });
    expect(Math.max(...made.peaks.data)).toBe(0);
    expect(await allFiles(made.folder)).toEqual(['peaks.json']);
  });

  it('show their picture', async () => {
    const [screen, camera] = [await pack('screen.mp4', {}), await pack('camera.mp4', {})];
    expect(screen).toMatchObject({ audioPlaylist: null, offset: 0, alignment: 'none' });
    expect(camera).toMatchObject({ audioPlaylist: 'hls/audio.m3u8', sourceType: 'video/mp4' });
    for (const { folder, video } of [screen, camera])
      expect((await heardIn(join(folder, video?.playlist ?? ''))).video?.end).toBeCloseTo(3, 0);
  });

  it('are aligned with the mix that they are in, of real speech', async () => {
    const { path: source } = await mix([
      [MEETING, 0],
      [GUEST, 12.345],
    ]);
    const heard = await extractAudio({ source, folder: await newFolder(), ffmpeg }, options);
    const others = [heard.path];
    const guest = await pack(GUEST, { others });
    expect(guest.alignment).toBe('mix');
    expect(guest.offset).toBeCloseTo(12.345, 2);
    expect(await pack(MEETING, { others })).toMatchObject({ alignment: 'mix', offset: expect.closeTo(0, 2) });
    expect(await pack(OTHER, { others })).toMatchObject({ alignment: 'none', offset: 0 });
  }, 120_000);

  it.each([1e9, -1e9])('are refused at %d s', async (offset) => {
    await expect(pack('ada.ogg', { offset })).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: `With an offset of ${offset} s, the track (3 seconds) does not end within the 25 hours that a recording may last.`,
    });
  });

  it('are mixed, each as loud as before', async () => {
    const { path, duration } = await mix([
      ['ada.ogg', -1],
      ['silent.ogg', 0],
      ['ben.wav', 2.5],
    ]);
    expect([basename(path), Math.round(10 * duration)]).toEqual(['audio.m4a', 65]);
    expectLevels((await heardIn(path)).levels, [...ADA.slice(4), 0, 0, ...BEN]);
  });

  it('are mixed below a picture, from its beginning on', async () => {
    const camera = ['camera.mp4', 1] as const;
    const { path } = await mix([camera, ['ben.wav', 0]], true);
    const { levels: own, video } = await heardIn(path);
    expectLevels(own, BEN);
    expect([video?.start, video?.end]).toEqual([0, expect.closeTo(4, 0)]);
  });

  it('are mixed if there are fifty of them', async () => {
    const silent = Array.from({ length: 49 }, (_, place) => ['silent.ogg', place] as const);
    const { path } = await mix([...silent, ['ada.ogg', 5]]);
    expectLevels((await heardIn(path)).levels.slice(0, 32), [...quiet(5), ...ADA]);
  });

  it('are taken out of a container: those of people, on its time line', async () => {
    const request = { source: pathOf('people.mka'), folder: await newFolder(), ffmpeg };
    const voices = await splitTracks(request, options);
    expect(voices).toMatchObject([{ title: 'Ada', language: 'eng' }, { title: null }]);
    const heard = await measureSounds(voices);
    expectLevels(heard[0]!.levels, ADA);
    expectLevels(heard[1]!.levels, [...quiet(2), ...BEN]);
    expect(
      await splitTracks({ ...request, source: pathOf(MEETING), folder: await newFolder() }, options),
    ).toEqual([]);
  });
}
