import { createHook } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { hashPassword, verifyPassword } from '../../src/platform/secrets/passwords.js';

/** Hash of "correct horse" by Python's hashlib.scrypt with N=16, r=8, p=1. */
const FOREIGN = 'scrypt$16$8$1$AAECAwQFBgcICQoLDA0ODw$Q7EcH175P_kcU7JE2HRU-qTRrq_BS6UbCRYPdBaC5y8';

describe('passwords', () => {
  it('are stored with the cost parameters and a new salt each time', async () => {
    const [one, two] = await Promise.all([
      hashPassword('ada', 'correct horse'),
      hashPassword('ada', 'correct horse'),
    ]);
    expect(one).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword('link', 'correct horse', one)).toBe(true);
    expect(await verifyPassword('link', 'correct horse', two)).toBe(true);
  });

  it.each(['Correct horse', 'correct horse ', ' correct horse', 'correct  horse', 'correct hors', ''])(
    'do not match anything else: "%s"',
    async (password) => {
      expect(await verifyPassword('link', password, FOREIGN)).toBe(false);
    },
  );

  it('match a hash created elsewhere with another cost', async () => {
    expect(await verifyPassword('link', 'correct horse', FOREIGN)).toBe(true);
  });

  it('match however the keyboard encodes them', async () => {
    const hash = await hashPassword('ada', 'caf\u00e9 \u{1f40e}');
    expect(await verifyPassword('link', 'cafe\u0301 \u{1f40e}', hash)).toBe(true);
    expect(await verifyPassword('link', 'cafe \u{1f40e}', hash)).toBe(false);
  });

  it.each([
    '',
    'correct horse',
    '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
    FOREIGN.slice(0, -1),
    `${FOREIGN}A`,
    FOREIGN.replace('$16$', '$x$'),
  ])('fail for a malformed hash without revealing it: "%s"', async (hash) => {
    await expect(verifyPassword('link', 'correct horse', hash)).rejects.toThrow(
      'A stored password hash is malformed: it is not scrypt$N$r$p$salt$key.',
    );
  });

  it('are hashed on half of the cores at a time, at most two, even after a failure', async () => {
    const running = new Set<number>();
    const atATime: number[] = [];
    const hook = createHook({
      init: (id, type) => {
        if (type === 'SCRYPTREQUEST') atATime.push(running.add(id).size);
      },
      // Its result has arrived.
      before: (id) => running.delete(id),
    }).enable();
    try {
      const unaffordable = FOREIGN.replace('$16$', '$65536$');
      const outcomes = await Promise.allSettled(
        [unaffordable, ...Array.from({ length: 6 }, () => FOREIGN)].map((hash) =>
          verifyPassword('link', 'correct horse', hash),
        ),
      );
      expect(outcomes.map(({ status }) => status)).toEqual([
        'rejected',
        ...Array.from({ length: 6 }, () => 'fulfilled'),
      ]);
    } finally {
      hook.disable();
    }
    expect(atATime).toHaveLength(6);
    expect(Math.max(...atATime)).toBe(availableParallelism() < 4 ? 1 : 2);
  });
});
