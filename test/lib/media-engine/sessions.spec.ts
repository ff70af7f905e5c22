import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { inspectSource } from '../../../src/lib/media-engine/source-file.js';
import { formatPath, TAKEN } from '../../support/formats.js';
import { wav } from '../../support/media-bombs.js';

/** Where FFmpeg by itself reads on in the file that follows. */
const WITHOUT_HEADER = new Set(['MP3', 'ADTS', 'MPEG program stream', 'none (elementary stream)']);
const TWICE = TAKEN.filter(
  ({ container, case: unusual, claims }) =>
    !WITHOUT_HEADER.has(container) && !claims && unusual !== 'two files in one',
);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrs-sessions-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Where the files begin that this one consists of. */
async function startsIn(...parts: readonly Uint8Array[]): Promise<number[]> {
  const path = join(folder, 'file');
  await writeFile(path, Buffer.concat(parts));
  return (await inspectSource(path)).sessions.map(({ start }) => start);
}

const read = (name: string) => readFile(formatPath(name));

describe('the files in a file', () => {
  it.each(TAKEN.filter(({ case: unusual }) => unusual !== 'two files in one').map(({ file }) => file))(
    'are one in %s',
    async (file) => {
      expect(await startsIn(await read(file))).toEqual([0]);
    },
  );

  it.each(TWICE.map(({ file }) => file))('are two if %s follows itself', async (file) => {
    const data = await read(file);
    const [first, second = 0, ...rest] = await startsIn(data, data);
    expect([first, rest]).toEqual([0, []]);
    // A transport stream begins with what describes its programs, after a packet or two.
    expect(second - data.length).toBeGreaterThanOrEqual(0);
    expect(second - data.length).toBeLessThan(/\.m2ts?$/.test(file) ? 400 : 1);
  });

  it.each(['vp8-vorbis.webm', 'h264-aac.mp4', 'pcm.wav', 'vorbis.ogg', 'h264-aac.flv'])(
    'are found if the first one was cut off: %s',
    async (file) => {
      const data = await read(file);
      const cut = data.subarray(0, Math.floor(data.length * 0.7));
      expect(await startsIn(cut, data)).toEqual([0, cut.length]);
    },
  );

  it('are found in an MP4 whose last box claims the bytes of the next one', async () => {
    const data = await read('h264-aac.mp4');
    const cut = data.subarray(0, data.length - 2_000);
    const longer = Buffer.concat([data, Buffer.from('\0\0\0\x08free', 'latin1')]);
    expect(await startsIn(cut, longer, longer)).toEqual([0, cut.length, cut.length + longer.length]);
  });

  it('are two WAV files of which the first one does not know its size, as it was streamed', async () => {
    const streamed = wav({ sampleRate: 8_000, bytes: 4_000 });
    streamed.writeUInt32LE(0xffffffff, 4);
    streamed.writeUInt32LE(0xffffffff, streamed.indexOf('data') + 4);
    expect(await startsIn(streamed, wav({ sampleRate: 8_000, bytes: 4_000 }))).toEqual([0, streamed.length]);
  });

  it('do not begin where media happens to look like a header', async () => {
    const sound = wav({ sampleRate: 8_000, bytes: 4_000 });
    sound.write('ABCD1234WAVE', 1_000, 'latin1');
    sound.write('RIFF1234WAXE', 2_000, 'latin1');
    expect(await startsIn(sound)).toEqual([0]);
    const film = await read('vp8-vorbis.webm');
    Buffer.from('1a45dfa3ffffffff', 'hex').copy(film, film.length - 500);
    expect(await startsIn(film)).toEqual([0]);
  });

  it('are at most a thousand', async () => {
    const header = wav({ sampleRate: 8_000, bytes: 40 });
    const times = (count: number) => Array.from({ length: count }, () => header);
    expect(await startsIn(...times(1_000))).toHaveLength(1_000);
    await expect(startsIn(...times(1_001))).rejects.toMatchObject({
      name: 'UnplayableMediaError',
      message: 'The file consists of more than 1,000 recordings joined end to end, which is the limit.',
    });
  });

  it('are not searched for without end', async () => {
    const marks = Buffer.from('WAVE'.repeat(200_000));
    const sound = wav({ sampleRate: 8_000, bytes: 40 });
    expect(await startsIn(sound, marks, sound)).toEqual([0]);
  });
});
