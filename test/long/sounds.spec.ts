import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageMedia } from '../../src/lib/media-engine/media-engine.js';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { keepsAllSound } from '../support/sound-contract.js';
import {
  expectLevels,
  levels,
  makeSounds,
  measureSounds,
  type MeasuredSound,
  type Sound,
} from '../support/sounds.js';

const LEVELS = levels(3, 7);

/** FFmpeg's name of the container, the extension, and for each codec: rates in Hz and numbers of channels. */
type Rates = readonly `${number}/${number}`[];
const CONTAINERS: readonly [string, string, Readonly<Record<string, Rates>>][] = [
  [
    'wav',
    'wav',
    {
      pcm_u8: ['8000/1'],
      pcm_s16le: ['11025/2', '22050/1', '44100/6', '96000/2'],
      pcm_s24le: ['48000/1', '192000/2'],
      pcm_s32le: ['48000/8'],
      pcm_f32le: ['32000/2'],
      pcm_f64le: ['48000/1'],
      pcm_alaw: ['8000/1'],
      pcm_mulaw: ['8000/2'],
      adpcm_ms: ['8000/1', '22050/2', '44100/1', '48000/2'],
      adpcm_ima_wav: ['8000/1', '44100/2', '48000/1', '96000/1'],
      adpcm_yamaha: ['44100/1'],
      libmp3lame: ['44100/2'],
    },
  ],
  ['w64', 'w64', { pcm_s16le: ['48000/2'] }],
  ['aiff', 'aiff', { pcm_s16be: ['44100/2', '8000/1'] }],
  ['caf', 'caf', { pcm_s16be: ['48000/2'], alac: ['44100/1'] }],
  ['au', 'au', { pcm_mulaw: ['8000/1'], pcm_s16be: ['48000/2'] }],
  ['mov', 'mov', { pcm_s16le: ['48000/2'], adpcm_ima_qt: ['44100/2'], alac: ['48000/1'], aac: ['24000/1'] }],
  [
    'mp4',
    'mp4',
    {
      aac: ['8000/1', '22050/1', '44100/2', '48000/6'],
      alac: ['44100/2'],
      libmp3lame: ['44100/2'],
      ac3: ['48000/6'],
      eac3: ['48000/2'],
      libopus: ['48000/2'],
      flac: ['48000/1'],
    },
  ],
  [
    'matroska',
    'mka',
    {
      aac: ['48000/2'],
      libopus: ['16000/1', '48000/2'],
      libvorbis: ['44100/2'],
      flac: ['96000/2'],
      libmp3lame: ['32000/1'],
      mp2: ['48000/2'],
      ac3: ['44100/2'],
      eac3: ['48000/6'],
      pcm_s16le: ['16000/1'],
      wavpack: ['44100/2'],
      mlp: ['44100/2', '48000/1'],
      truehd: ['48000/2'],
      adpcm_ms: ['44100/1'],
    },
  ],
  ['webm', 'webm', { libopus: ['48000/1'], libvorbis: ['22050/1'] }],
  [
    'avi',
    'avi',
    {
      pcm_s16le: ['44100/2'],
      libmp3lame: ['48000/2'],
      adpcm_ms: ['44100/1'],
      adpcm_ima_wav: ['48000/2'],
      ac3: ['48000/2'],
    },
  ],
  ['flv', 'flv', { aac: ['44100/1'], libmp3lame: ['44100/2'], adpcm_swf: ['22050/1'] }],
  ['ogg', 'ogg', { libopus: ['48000/2'], flac: ['44100/2'] }],
  [
    'mpegts',
    'ts',
    { aac: ['48000/2'], mp2: ['44100/1'], ac3: ['48000/6'], eac3: ['48000/2'], libmp3lame: ['48000/1'] },
  ],
  ['mpeg', 'mpg', { mp2: ['48000/2'], ac3: ['48000/2'] }],
  ['asf', 'wma', { wmav1: ['44100/1'], wmav2: ['16000/1', '48000/2'] }],
  ['mp3', 'mp3', { libmp3lame: ['8000/1', '16000/1', '24000/2', '44100/1', '48000/2'] }],
  ['adts', 'aac', { aac: ['16000/1', '44100/2'] }],
  ['ac3', 'ac3', { ac3: ['32000/1'] }],
  ['flac', 'flac', { flac: ['8000/1', '192000/2'] }],
  ['mlp', 'mlp', { mlp: ['44100/1', '48000/2'] }],
  ['truehd', 'thd', { truehd: ['48000/2'] }],
  ['tta', 'tta', { tta: ['44100/2'] }],
  ['wv', 'wv', { wavpack: ['48000/1'] }],
  ['nut', 'nut', { libvorbis: ['48000/2'] }],
];

/** The same sound in six channels is three times as loud in two. */
const levelsOf = (channels: number): number[] => LEVELS.map((level) => (channels > 2 ? level / 4 : level));

const SOUNDS: readonly Sound[] = CONTAINERS.flatMap(([format, extension, codecs]) =>
  Object.entries(codecs).flatMap(([codec, rates]) =>
    rates.map((text) => {
      const [rate = 0, channels = 0] = text.split('/').map(Number);
      const name = `${codec}-${rate}-${channels}.${extension}`;
      return { name, format, tracks: [{ codec, rate, channels, levels: levelsOf(channels) }] };
    }),
  ),
);

describe('all sound comes back', () => {
  const heard = new Map<string, { readonly notice: string | null; readonly sound: MeasuredSound }>();
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mrs-sounds-'));
    await makeSounds(folder, SOUNDS);
    const waiting = [...SOUNDS];
    const made: { name: string; notice: string | null; path: string }[] = [];
    await Promise.all(
      [0, 1].map(async () => {
        for (let sound = waiting.shift(); sound; sound = waiting.shift()) {
          const target = await mkdtemp(join(folder, 'package-'));
          const options = { signal: new AbortController().signal, onProgress: () => undefined };
          const result = await packageMedia({ source: join(folder, sound.name), folder: target }, options);
          made.push({ name: sound.name, notice: result.notice, path: join(target, result.playlist) });
        }
      }),
    );
    const measured = await measureSounds(made);
    made.forEach(({ name, notice }, place) => heard.set(name, { notice, sound: measured[place]! }));
  }, 900_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('of more than seventy files', () => {
    expect(SOUNDS.length).toBeGreaterThan(70);
  });

  it.each(SOUNDS.map(({ name, tracks }) => [name, tracks[0]?.levels ?? []] as const))(
    'quarter second by quarter second, of %s',
    (name, expected) => {
      const { notice, sound } = heard.get(name)!;
      expect(notice).toBeNull();
      expectLevels(sound.levels, expected);
    },
  );
});

describe('the sound of a recording, with the library', () => {
  keepsAllSound(undefined);

  it('is counted, so that what cannot be decoded is said even if the rest lasts as long', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-sound-'));
    const source = join(folder, 'damaged.mka');
    const track = { codec: 'ac3', rate: 48_000, channels: 1, levels: levels(6) };
    await makeSounds(folder, [{ name: 'damaged.mka', format: 'matroska', tracks: [track] }]);
    await writeFile(source, withoutFrames(await readFile(source)));
    const target = await mkdtemp(join(folder, 'package-'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { notice, duration } = await packageMedia({ source, folder: target }, options);
    expect(duration).toBeCloseTo(6, 0);
    expect(notice).toMatch(/^Of 6\.0 s of sound, only 5\.\d s could be decoded; the rest is missing\.$/);
    await rm(folder, { recursive: true, force: true });
  });
});

FFMPEG.describe('the sound of a recording, with the program', () => keepsAllSound(ffmpegPath));

/** Without the marks by which a decoder recognizes frames of AC-3, from a third to the half of the file. */
function withoutFrames(file: Buffer): Buffer {
  const damaged = Buffer.from(file);
  for (let at = damaged.indexOf('0b77', 0, 'hex'); at >= 0; at = damaged.indexOf('0b77', at + 2, 'hex')) {
    if (at > damaged.length / 3 && at < damaged.length / 2) damaged.fill(0, at, at + 16);
  }
  return damaged;
}
