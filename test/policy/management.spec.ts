import { describe, expect, it } from '@jest/globals';
import {
  isManager,
  leavesNoOwner,
  mayChangeMember,
  mayManage,
  mayRemoveMember,
} from '../../src/policy/management.js';
import { ROLES, type Role } from '../../src/policy/roles.js';

const actor = (role: Role) => ({ userId: 'actor', role });
const other = (role: Role) => ({ userId: 'other', role });
const self = (role: Role) => ({ userId: 'actor', role });
const to = (role?: Role, flags = false) => ({ role, flags });

describe('the management of members', () => {
  it.each([
    ['OWNER', ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER']],
    ['ADMIN', ['EDITOR', 'VIEWER']],
    ['EDITOR', []],
    ['VIEWER', []],
  ] as const)('%s manages %j', (role, managed) => {
    expect(ROLES.filter((one) => mayManage(role, one))).toEqual(managed);
    expect(ROLES.filter((one) => mayRemoveMember(actor(role), other(one)))).toEqual(managed);
    expect(isManager(role)).toBe(managed.length > 0);
  });

  it('of others takes the right to both roles', () => {
    const allowed = ROLES.flatMap((role) =>
      ROLES.flatMap((from) =>
        ROLES.filter((next) => mayChangeMember(actor(role), other(from), to(next))).map(
          (next) => `${role}: ${from} to ${next}`,
        ),
      ),
    );
    const both = ROLES.flatMap((from) => ROLES.map((next) => `OWNER: ${from} to ${next}`));
    expect(allowed).toEqual([
      ...both,
      'ADMIN: EDITOR to EDITOR',
      'ADMIN: EDITOR to VIEWER',
      'ADMIN: VIEWER to EDITOR',
      'ADMIN: VIEWER to VIEWER',
    ]);
  });

  it('of oneself is lowering only', () => {
    const allowed = ROLES.flatMap((from) =>
      ROLES.filter((next) => mayChangeMember(actor(from), self(from), to(next))).map(
        (next) => `${from} to ${next}`,
      ),
    );
    expect(allowed).toEqual([
      ...ROLES.map((next) => `OWNER to ${next}`),
      'ADMIN to ADMIN',
      'ADMIN to EDITOR',
      'ADMIN to VIEWER',
      'EDITOR to EDITOR',
      'EDITOR to VIEWER',
      'VIEWER to VIEWER',
    ]);
    expect(ROLES.filter((role) => mayRemoveMember(actor(role), self(role)))).toEqual(ROLES);
  });

  it('includes feature flags; only an OWNER changes their own', () => {
    expect(ROLES.filter((role) => mayChangeMember(actor(role), self(role), to(undefined, true)))).toEqual([
      'OWNER',
    ]);
    expect(mayChangeMember(actor('ADMIN'), other('EDITOR'), to(undefined, true))).toBe(true);
    expect(mayChangeMember(actor('ADMIN'), other('ADMIN'), to(undefined, true))).toBe(false);
  });

  it('leaves an OWNER', () => {
    expect(leavesNoOwner('OWNER', null, 1)).toBe(true);
    expect(leavesNoOwner('OWNER', 'ADMIN', 1)).toBe(true);
    expect(leavesNoOwner('OWNER', 'OWNER', 1)).toBe(false);
    expect(leavesNoOwner('OWNER', null, 2)).toBe(false);
    expect(leavesNoOwner('ADMIN', null, 1)).toBe(false);
  });
});
