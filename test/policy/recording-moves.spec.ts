import { describe, expect, it } from '@jest/globals';
import { leavingRefusal, type Destination, type LeavingFacts } from '../../src/policy/recording-moves.js';
import { ROLES, type Role } from '../../src/policy/roles.js';
import {
  ALL_ON,
  membership,
  organizationFacts,
  personalFacts,
  SOMEBODY_ELSE,
  terms,
  VIEWER,
} from './facts.js';

const SEEN = 'seen by its owner';

const facts = (overrides: Partial<LeavingFacts> = {}): LeavingFacts => ({
  ...organizationFacts(),
  membersMayTake: false,
  ownerIsMember: true,
  ...overrides,
});
const as = (role: Role, overrides: Partial<LeavingFacts> = {}) =>
  facts({ ...membership({ role }), ...overrides });
const refusal = (given: LeavingFacts, to: Destination = SEEN) => leavingRefusal(VIEWER, given, to);

describe('taking a recording out of its organization', () => {
  it.each([
    ['OWNER', null, null, null, null],
    ['ADMIN', null, null, 'not theirs', 'not theirs'],
    ['EDITOR', 'kept', null, 'not theirs', 'not theirs'],
    ['VIEWER', 'kept', null, 'not theirs', 'not theirs'],
  ] as const)('%s: own %s, where members may %s; of others %s, %s', (role, ...expected) => {
    const found = [VIEWER, SOMEBODY_ELSE].flatMap((ownerId) =>
      [false, true].map((membersMayTake) => refusal(as(role, { ownerId, membersMayTake }))),
    );
    expect(found).toEqual(expected);
  });

  it.each(['downloads', 'sharing'] as const)('takes %s, of the organization and of the mover', (flag) => {
    const off = { ...ALL_ON, [flag]: false };
    for (const role of ROLES) {
      const permitted = { membersMayTake: true };
      expect(refusal(as(role, { ...permitted, ...terms({ features: off }) }))).toBe(flag);
      expect(refusal(facts({ ...permitted, ...membership({ role, features: off }) }))).toBe(flag);
    }
  });

  it.each(['transcription', 'summaries', 'questions'] as const)('does not take %s', (flag) => {
    expect(refusal(as('OWNER', terms({ features: { ...ALL_ON, [flag]: false } })))).toBeNull();
  });

  it('does not depend on the plan, which the destination has its own of', () => {
    expect(refusal(as('OWNER', terms({ plan: 'FREE' })))).toBeNull();
  });

  it.each([
    ['personal', true, 'not personal'],
    ['personal', false, 'not personal'],
    ['seen by its owner', true, null],
    ['seen by its owner', false, null],
    ['hidden from its owner', true, 'hidden'],
    // They lose nothing that they have.
    ['hidden from its owner', false, null],
  ] as const)(
    'of another by an OWNER to %s, while its owner is a member (%s): %s',
    (to, ownerIsMember, expected) => {
      expect(refusal(as('OWNER', { ownerId: SOMEBODY_ELSE, ownerIsMember }), to)).toBe(expected);
      expect(refusal(as('OWNER', { ownerId: VIEWER, ownerIsMember }), to)).toBeNull();
    },
  );

  it('is not what moving a personal one does', () => {
    expect(refusal(facts(personalFacts()))).toBeNull();
  });
});
