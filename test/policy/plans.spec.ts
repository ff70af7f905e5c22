import { describe, expect, it } from '@jest/globals';
import {
  isSubscriptionActive,
  organizationStanding,
  PLAN_CATALOG,
  planMadeBy,
  PLANS,
} from '../../src/policy/plans.js';

const NOW = new Date('2026-06-15T12:00:00.000Z');
const PAST = new Date('2026-06-15T11:59:59.999Z');
const FUTURE = new Date('2026-06-15T12:00:00.001Z');

describe('the plan that a user gives', () => {
  it.each([
    ['FREE', false, 'FREE', 'FREE'],
    ['FREE', false, 'PRO', 'FREE'],
    ['PRO', false, 'FREE', 'FREE'],
    ['PRO', false, 'PRO', 'PRO'],
    ['FREE', true, 'FREE', 'FREE'],
    ['FREE', true, 'PRO', 'PRO'],
  ] as const)('%s, operator: %s, DEFAULT_PLAN %s: %s', (plan, operator, byDefault, expected) => {
    expect(planMadeBy({ plan, operator }, byDefault)).toBe(expected);
  });
});

describe('plan catalog', () => {
  it.each([
    ['FREE', 30, { downloads: false, sharing: true, transcription: true, summaries: true, questions: false }],
    ['PRO', null, { downloads: true, sharing: true, transcription: true, summaries: true, questions: true }],
    [
      'ENTERPRISE',
      null,
      { downloads: true, sharing: true, transcription: true, summaries: true, questions: true },
    ],
  ] as const)(
    '%s includes %s days of history (null: all) and the features %j',
    (plan, historyDays, features) => {
      expect(PLAN_CATALOG[plan]).toEqual({ historyDays, features });
    },
  );
});

describe('subscription', () => {
  // Status, end date, whether it is active, and the effective plan (or 402) of an organization on FREE, PRO,
  // ENTERPRISE.
  it.each([
    ['active', null, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['active', FUTURE, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['active', PAST, false, 'FREE', 'FREE', '402'],
    ['trialing', null, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['trialing', FUTURE, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['trialing', PAST, false, 'FREE', 'FREE', '402'],
    ['past_due', null, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['past_due', FUTURE, true, 'FREE', 'PRO', 'ENTERPRISE'],
    ['past_due', PAST, false, 'FREE', 'FREE', '402'],
    ['canceled', null, false, 'FREE', 'FREE', '402'],
    ['canceled', FUTURE, false, 'FREE', 'FREE', '402'],
    ['canceled', PAST, false, 'FREE', 'FREE', '402'],
    ['expired', null, false, 'FREE', 'FREE', '402'],
    ['expired', FUTURE, false, 'FREE', 'FREE', '402'],
    ['expired', PAST, false, 'FREE', 'FREE', '402'],
  ] as const)('%s, ending %s: active is %s; FREE counts as %s, PRO as %s, ENTERPRISE as %s', (...row) => {
    const [status, endsAt, active, ...counting] = row;
    expect(isSubscriptionActive({ status, endsAt }, NOW)).toBe(active);
    const standings = PLANS.map((plan) => organizationStanding(plan, { status, endsAt }, NOW));
    expect(standings.map(({ plan, expired }) => (expired ? '402' : plan))).toEqual(counting);
  });
});
