import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { runSequences, startServices, type Services } from './management/sequences.js';

/** `test/long/management.e2e-spec.ts` runs 1,000. */
const RUNS = 12;

describe('organizations that several clients manage at once', () => {
  let services: Services;
  beforeAll(async () => {
    services = await startServices();
  });
  afterAll(() => services.stop());

  it('are always in a state that the rules lead to, and show it alike in lists and alone', async () => {
    await runSequences(services, RUNS);
  }, 300_000);
});
