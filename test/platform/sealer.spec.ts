import { describe, expect, it } from '@jest/globals';
import { Sealer } from '../../src/platform/sealing/sealer.js';

const [OLD, NEW] = ['o'.repeat(32), 'n'.repeat(32)];
const sealer = new Sealer([NEW, OLD]);
const TOKEN = '9ZrU2mKdQx7vT1bLw3Yc8HnPjE5sGf0A';

describe('a sealed text', () => {
  it('can be read with its key only, also when that is no longer the current one', () => {
    const sealed = new Sealer([OLD]).seal(TOKEN, 'link 1');
    expect(sealer.unseal(sealed, 'link 1')).toBe(TOKEN);
    expect(() => new Sealer([NEW]).unseal(sealed, 'link 1')).toThrow(
      `link 1 was sealed with the key ${sealed.keyId}, which this process does not have`,
    );
  });

  it('cannot be read anywhere else, or after any of its bytes was changed or removed', () => {
    const { keyId, sealed } = sealer.seal(TOKEN, 'link 1');
    const elsewhere = (value: Buffer, place = 'link 1') => sealer.unseal({ keyId, sealed: value }, place);
    expect(() => elsewhere(sealed, 'link 2')).toThrow(/link 2 was changed in the database/);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => elsewhere(changed)).toThrow(/was changed in the database/);
      expect(() => elsewhere(sealed.subarray(0, at))).toThrow(/was changed in the database/);
    }
  });

  it('contains neither the text nor the key, and is different each time', () => {
    const all = [sealer.seal(TOKEN, 'link 1'), sealer.seal(TOKEN, 'link 1')];
    const [first, second] = all.map(({ sealed }) => sealed.toString('latin1'));
    expect(first).not.toBe(second);
    expect(`${first}${second}${JSON.stringify(all)}`).not.toMatch(new RegExp(`${TOKEN}|${NEW}`));
  });
});
