import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const FOLDER = 'src/platform/database/migrations';

/** Of each folder of migrations. Until its release, a change is entered here; afterwards, databases have run it. */
const CHECKSUMS = {
  '1_0_0': '2c4bbd8f12e2f4ffa13d401f166843f753601d5afe1c2e54e585723df6639c62',
  '1_1_0': 'e562dcd0471ebceff2d8aff23f968f159ea4344ac2882cc40849a8a1fa7018e1',
};

/** SHA-256 of the names and the text of the files, however their lines end. */
function checksum(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted())
    hash.update(name).update(readFileSync(`${folder}/${name}`, 'utf8').replaceAll('\r\n', '\n'));
  return hash.digest('hex');
}

describe('migrations', () => {
  it('are never edited after their release; see "Migrations" in docs/developing.md', () => {
    const found = readdirSync(FOLDER).map((name) => [name, checksum(`${FOLDER}/${name}`)]);
    expect(Object.fromEntries(found)).toEqual(CHECKSUMS);
  });
});
