import { describe, expect, it } from '@jest/globals';
import { withoutKey } from '../../src/policy/caller.js';
import { decideAccess } from '../../src/policy/recording-access.js';
import { daysAgo, NOW, organizationFacts, personalFacts, SOMEBODY_ELSE, terms, VIEWER } from './facts.js';

const active = { status: 'active', endsAt: null } as const;
const canceled = { status: 'canceled', endsAt: null } as const;

describe('lock by age', () => {
  it.each([
    ['an hour', daysAgo(0, 3_600_000), false],
    ['29 days', daysAgo(29), false],
    ['1 ms less than 30 days', daysAgo(30, -1), false],
    ['exactly 30 days', daysAgo(30), false],
    ['1 ms more than 30 days', daysAgo(30, 1), true],
    ['31 days', daysAgo(31), true],
    ['10 years', daysAgo(3650), true],
  ])('on the plan FREE a recording of %s: locked is %3$s', (_, createdAt, locked) => {
    expect(
      decideAccess(withoutKey(VIEWER), personalFacts({ createdAt, ownerPlan: 'FREE' }), NOW).locked,
    ).toBe(locked);
    const facts = organizationFacts({ createdAt, ...terms({ plan: 'FREE' }) });
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).locked).toBe(locked);
  });

  it('never locks on the plan PRO of a user', () => {
    const facts = personalFacts({ createdAt: daysAgo(3650), ownerPlan: 'PRO' });
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).locked).toBe(false);
  });

  it.each(['PRO', 'ENTERPRISE'] as const)('never locks on the plan %s of an organization', (plan) => {
    const facts = organizationFacts({ createdAt: daysAgo(3650), ...terms({ plan }) });
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).locked).toBe(false);
  });
});

describe('the effective plan', () => {
  it("of an organization's recording is that of the organization, whatever the owner's", () => {
    const createdAt = daysAgo(31);
    const poorOwner = organizationFacts({ createdAt, ownerPlan: 'FREE', ...terms({ plan: 'PRO' }) });
    const richOwner = organizationFacts({ createdAt, ownerPlan: 'PRO', ...terms({ plan: 'FREE' }) });
    expect(decideAccess(withoutKey(VIEWER), poorOwner, NOW).locked).toBe(false);
    expect(decideAccess(withoutKey(VIEWER), richOwner, NOW).locked).toBe(true);
    expect(decideAccess(withoutKey(VIEWER), poorOwner, NOW).capabilities.canDownload).toBe(true);
    expect(
      decideAccess(withoutKey(VIEWER), { ...richOwner, createdAt: NOW }, NOW).capabilities.canDownload,
    ).toBe(false);
  });

  it("of a personal recording is the owner's", () => {
    const facts = personalFacts({ ownerPlan: 'FREE' });
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).capabilities.canDownload).toBe(false);
    expect(
      decideAccess(withoutKey(VIEWER), { ...facts, ownerPlan: 'PRO' }, NOW).capabilities.canDownload,
    ).toBe(true);
  });

  it('is FREE if a PRO subscription is inactive: old recordings are locked, recent ones lose downloads and questions', () => {
    const lapsed = terms({ plan: 'PRO', subscription: canceled });
    const old = decideAccess(
      withoutKey(VIEWER),
      organizationFacts({ ...lapsed, createdAt: daysAgo(31) }),
      NOW,
    );
    expect(old).toMatchObject({ locked: true, expired: false });
    const young = decideAccess(
      withoutKey(VIEWER),
      organizationFacts({ ...lapsed, createdAt: daysAgo(29) }),
      NOW,
    );
    expect(young).toMatchObject({ locked: false, expired: false });
    expect(young.capabilities).toMatchObject({ canDownload: false, canAskQuestions: false, canShare: true });
  });

  it.each([
    ['active', active, false],
    ['canceled', canceled, true],
    ['past its end date', { status: 'active', endsAt: daysAgo(0, 1) }, true],
    ['before its end date', { status: 'past_due', endsAt: daysAgo(0, -1) }, false],
  ] as const)('ENTERPRISE whose subscription is %s: expired is %3$s', (_, subscription, expired) => {
    const facts = organizationFacts(terms({ plan: 'ENTERPRISE', subscription }));
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).expired).toBe(expired);
  });

  it.each(['FREE', 'PRO'] as const)('%s never expires', (plan) => {
    const facts = organizationFacts(terms({ plan, subscription: canceled }));
    expect(decideAccess(withoutKey(VIEWER), facts, NOW).expired).toBe(false);
  });
});

describe('locked and expired recordings', () => {
  it.each([
    ['locked', organizationFacts({ createdAt: daysAgo(31), ...terms({ plan: 'FREE' }) })],
    ['expired', organizationFacts(terms({ subscription: canceled }))],
  ])('remain visible and may be changed when %s', (_, facts) => {
    expect(decideAccess(withoutKey(VIEWER), facts, NOW)).toMatchObject({ visible: true, mayChange: true });
  });

  it('do not become visible to others', () => {
    const facts = organizationFacts({ membership: null, createdAt: daysAgo(31) });
    expect(decideAccess(withoutKey(SOMEBODY_ELSE), facts, NOW)).toMatchObject({
      visible: false,
      mayChange: false,
    });
  });
});
