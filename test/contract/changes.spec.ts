import { describe, expect, it } from '@jest/globals';
import { expectNone } from '../support/proofs.js';
import { CHANGES, documented, REPEATABLE } from '../security/changes-world.js';

const operations = documented().filter(([name]) => !/ \/uploads/.test(name));

describe('Operations that change something', () => {
  it('are each tried: what their replies show, and repeated with an Idempotency-Key', () => {
    const changing = operations.filter(([name, , scopes]) => scopes.length > 0 && !name.startsWith('GET'));
    expectNone(
      changing
        .filter(([name]) => !Object.hasOwn(CHANGES, name))
        .map(
          ([name]) =>
            `no test tries ${name}: add what it is sent to PARTS of test/factories/parts.ts if it adds something to a recording or changes what was added, otherwise to REPEATABLE (POST, PATCH) or OTHERS of test/security/changes-world.ts`,
        ),
    );
    expect(new Set(Object.keys(REPEATABLE))).toEqual(
      new Set(operations.flatMap(([name, takesKey]) => (takesKey ? [name] : []))),
    );
    const known = new Set(operations.map(([name]) => name));
    expectNone(Object.keys(CHANGES).filter((name) => !known.has(name)));
  });
});
