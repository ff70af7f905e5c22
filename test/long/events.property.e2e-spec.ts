import { afterAll, beforeAll, describe, it } from '@jest/globals';
import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  nat,
  oneof,
  record,
  propertyOptions,
} from '../support/properties.js';
import { startService, type TestService } from '../support/service.js';
import { EventsWorld, KINDS, SETTINGS } from '../security/events/events-world.js';

/** More in `test/long/random-worlds.e2e-spec.ts`. */
const OPTIONS = propertyOptions(3, 20_000, 500);

/** Numbers choose among what there is at that moment. */
const step = record({
  kind: oneof(constantFrom(...KINDS)),
  who: nat(),
  what: nat(),
  where: nat(),
});

describe('after any sequence of changes', () => {
  let service: TestService;
  let second: TestService;

  beforeAll(async () => {
    service = await startService(SETTINGS, { worker: true });
    second = await startService(SETTINGS, { beside: service });
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });

  it('every user has the events of what they see, and ids of what was deleted or moved away', async () => {
    const property = asyncProperty(array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const world = await EventsWorld.create([service, second]);
      for (const one of steps) await world.run(one);
      await world.compare();
    });
    await assert(property, OPTIONS);
  }, 120_000);
});
