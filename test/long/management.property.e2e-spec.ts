import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { runSequences, startServices, type Services } from '../security/management/sequences.js';

/** `test/long/management.e2e-spec.ts` and `management-views.e2e-spec.ts` run 1,150. */
const RUNS = 4;

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
