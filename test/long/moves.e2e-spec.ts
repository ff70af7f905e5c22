import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { MANY_USERS, movesAndDeletesMany, movesWhileTheOwnerLeaves } from '../e2e/recordings/moves/many.js';
import { startService, type TestService } from '../support/service.js';

describe('many recordings are moved', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({}, { worker: true });
    await service.import({ users: MANY_USERS });
  });
  afterAll(() => service.stop());

  it('as many as 1,000 at once, and deleted', () => movesAndDeletesMany(service, 1_000));

  it('while their owner leaves the destination, and are where their owner is a member', () =>
    movesWhileTheOwnerLeaves(service, { count: 100, rounds: 10 }));
});
