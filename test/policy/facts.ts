import type { AccessFacts } from '../../src/policy/recording-access.js';
import type { FeatureFlags } from '../../src/policy/plans.js';

/** Facts with which everything is allowed; each test changes the ones it is about. */

export const NOW = new Date('2026-06-15T12:00:00.000Z');
export const VIEWER = '0197a000-0000-7000-8000-000000000001';
export const SOMEBODY_ELSE = '0197a000-0000-7000-8000-000000000002';
export const ORGANIZATION = '0197a000-0000-7000-8000-0000000000aa';

export const FOLDER = '0197a000-0000-7000-8000-0000000000bb';

export const DAY = 24 * 60 * 60 * 1000;
export const daysAgo = (days: number, extraMs = 0): Date => new Date(NOW.getTime() - days * DAY - extraMs);

export const ALL_ON: FeatureFlags = {
  downloads: true,
  sharing: true,
  transcription: true,
  summaries: true,
  questions: true,
};

/**
 * A complete, transcribed recording of an active ENTERPRISE organization, created an hour ago by the viewer, its OWNER.
 */
export function organizationFacts(overrides: Partial<AccessFacts> = {}): AccessFacts {
  return {
    ownerId: VIEWER,
    organizationId: ORGANIZATION,
    folder: null,
    status: 'COMPLETED',
    hasMedia: true,
    withoutMedia: false,
    createdAt: daysAgo(0, 3_600_000),
    transcriptionStatus: 'completed',
    toTranscribe: false,
    ownerPlan: 'FREE',
    organization: { plan: 'ENTERPRISE', subscription: { status: 'active', endsAt: null }, features: ALL_ON },
    membership: { role: 'OWNER', viewAllRecordings: false, viewFolderRecordings: true, features: ALL_ON },
    ...overrides,
  };
}

/** The same as a personal recording of the viewer, on the plan PRO. */
export function personalFacts(overrides: Partial<AccessFacts> = {}): AccessFacts {
  return organizationFacts({
    organizationId: null,
    organization: null,
    membership: null,
    ownerPlan: 'PRO',
    ...overrides,
  });
}

/** The organization of `organizationFacts` with other terms. */
export function terms(
  overrides: Partial<NonNullable<AccessFacts['organization']>>,
): Pick<AccessFacts, 'organization'> {
  return {
    organization: {
      plan: 'ENTERPRISE',
      subscription: { status: 'active', endsAt: null },
      features: ALL_ON,
      ...overrides,
    },
  };
}

/** The membership of `organizationFacts` with another role or other feature flags. */
export function membership(
  overrides: Partial<NonNullable<AccessFacts['membership']>>,
): Pick<AccessFacts, 'membership'> {
  return {
    membership: {
      role: 'OWNER',
      viewAllRecordings: false,
      viewFolderRecordings: true,
      features: ALL_ON,
      ...overrides,
    },
  };
}
