import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runSequences, startServices, type Services } from '../security/management/sequences.js';

/** `management-views.e2e-spec.ts` looks after each round. */
const [RUNS, LOOK_EVERY] = [700, 8];

/** Every operation that the model knows. */
const KINDS = [
  'DELETE /me?confirm=:email',
  'DELETE /me?confirm=:email&new_owner=:id',
  'DELETE /organizations/:id',
  'DELETE /organizations/:id/folders/:id',
  'DELETE /organizations/:id/invitations/:id',
  'DELETE /organizations/:id/members/:id',
  'DELETE /organizations/:id/members/:id?new_owner=:id',
  'DELETE /organizations/:id/transfer',
  'DELETE /organizations/:id?recordings=delete',
  'DELETE /recordings/:id',
  'DELETE /users/:id',
  'DELETE /users/:id?new_owner=:id',
  'PATCH /organizations/:id',
  'PATCH /organizations/:id/folders/:id',
  'PATCH /organizations/:id/members/:id',
  'PATCH /recordings/:id',
  'POST /invitations/accept',
  'POST /organizations',
  'POST /organizations/:id/folders',
  'POST /organizations/:id/invitations',
  'POST /organizations/:id/invitations/:id/resend',
  'POST /organizations/:id/transfer',
  'POST /organizations/:id/transfer/accept',
  'POST /recordings/bulk',
];

describe('organizations that several clients manage at once, at length', () => {
  let services: Services;
  beforeAll(async () => {
    services = await startServices();
  });
  afterAll(() => services.stop());

  it(`follow the rules in ${RUNS} random sequences, in which every operation is both done and refused`, async () => {
    await runSequences(services, RUNS, LOOK_EVERY);
    expect([...services.tallies.keys()].sort()).toEqual(KINDS);
    for (const [kind, { done, refused }] of services.tallies) {
      expect([kind, done > 0, refused > 0]).toEqual([kind, true, true]);
    }
  }, 1_800_000);
});
