import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { runSequences, startServices, type Services } from '../security/management/sequences.js';

const RUNS = 300;

describe('what users see of organizations that several clients manage at once, at length', () => {
  let services: Services;
  beforeAll(async () => {
    services = await startServices();
  });
  afterAll(() => services.stop());

  it(`follows the rules after each round of ${RUNS} random sequences`, async () => {
    await runSequences(services, RUNS);
  }, 1_800_000);
});
