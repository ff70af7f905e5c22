import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Packager } from '../../src/modules/packaging/packager.js';
import { keepsAllSound } from '../support/sound-contract.js';
import { levels, makeSounds } from '../support/sounds.js';

describe('the sound of a recording, with the library', () => {
  keepsAllSound(new Packager({ ffmpegPath: undefined }));

  it('is counted, so that what cannot be decoded is said even if the rest lasts as long', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mrs-sound-'));
    const source = join(folder, 'damaged.mka');
    const track = { codec: 'ac3', rate: 48_000, channels: 1, levels: levels(6) };
    await makeSounds(folder, [{ name: 'damaged.mka', format: 'matroska', tracks: [track] }]);
    await writeFile(source, withoutFrames(await readFile(source)));
    const target = await mkdtemp(join(folder, 'package-'));
    const options = { signal: new AbortController().signal, onProgress: () => undefined };
    const { notice, duration } = await new Packager({ ffmpegPath: undefined }).package(
      { source, folder: target },
      options,
    );
    expect(duration).toBeCloseTo(6, 0);
    expect(notice).toMatch(/^Of 6\.0 s of sound, only 5\.\d s could be decoded; the rest is missing\.$/);
    await rm(folder, { recursive: true, force: true });
  });
});

/** Without the marks by which a decoder recognizes frames of AC-3, from a third to the half of the file. */
function withoutFrames(file: Buffer): Buffer {
  const damaged = Buffer.from(file);
  for (let at = damaged.indexOf('0b77', 0, 'hex'); at >= 0; at = damaged.indexOf('0b77', at + 2, 'hex')) {
    if (at > damaged.length / 3 && at < damaged.length / 2) damaged.fill(0, at, at + 16);
  }
  return damaged;
}
