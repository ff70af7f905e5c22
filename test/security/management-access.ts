import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expected, OPERATIONS, UNCHANGED, type Operation } from './management-operations.js';
import { CALLERS, ManagementWorld, type Caller } from './management-world.js';

/** For each operation of the part `nth` of `parts`, who may do it: a file each, as a run of all takes long. */
export function managementAccess(nth: number, parts: number): void {
  const operations = Object.entries(OPERATIONS).filter((_, index) => index % parts === nth);
  let there: ManagementWorld;

  beforeAll(async () => {
    there = await ManagementWorld.start();
  });
  afterAll(() => there.stop());
  beforeEach(() => there.restore());

  const send = async ({ request }: Operation, caller: Caller): Promise<string> => {
    const [method, path, body] = request(there.world, caller);
    const reply = await there.as(caller).request(method, path, { body });
    return [reply.status, reply.body.error?.code].filter((part) => part !== undefined).join(' ');
  };
  const changes = (name: string, { request }: Operation, caller: Caller): boolean =>
    request(there.world, caller)[0] !== 'GET' &&
    !UNCHANGED.some(([operation, by]) => operation === name && by === caller);

  describe.each(operations)('%s', (name, operation) => {
    const [refused, allowed] = [true, false].map((is) =>
      CALLERS.filter((caller) => expected(operation, caller).includes(' ') === is),
    ) as [Caller[], Caller[]];

    if (refused.length > 0) {
      it(`refused to ${refused.join(', ')}, and nothing changes`, async () => {
        const outcomes: Record<string, string> = {};
        for (const caller of refused) outcomes[caller] = await send(operation, caller);
        const after = await there.state();
        expect(outcomes).toEqual(
          Object.fromEntries(refused.map((caller) => [caller, expected(operation, caller)])),
        );
        expect(after).toBe(there.kept);
      });
    }

    if (allowed.length > 0) {
      it.each(allowed)('done for %s', async (caller) => {
        const outcome = await send(operation, caller);
        const after = await there.state();
        expect(outcome).toBe(expected(operation, caller));
        if (changes(name, operation, caller)) expect(after).not.toBe(there.kept);
        else expect(after).toBe(there.kept);
      });
    }
  });
}
