import { describe, expect, it } from '@jest/globals';
import { FEATURES } from '../../src/policy/plans.js';
import { withoutKey } from '../../src/policy/caller.js';
import { CAPABILITIES, type Capability } from '../../src/policy/capabilities.js';
import { decideAccess, type AccessFacts } from '../../src/policy/recording-access.js';
import { CONTENT_STATUSES, RECORDING_STATUSES } from '../../src/policy/recording-status.js';
import {
  ALL_ON,
  daysAgo,
  membership,
  NOW,
  organizationFacts,
  personalFacts,
  terms,
  VIEWER,
} from './facts.js';

/** Conditions of a capability, besides being neither locked nor expired (docs/decisions/0009-access.md). */
interface Conditions {
  readonly features: readonly (typeof FEATURES)[number][];
  readonly playable: boolean;
  readonly mayChange: boolean;
  readonly transcription: readonly AccessFacts['transcriptionStatus'][];
}
const ANY = ['not_started', 'processing', 'completed', 'failed'] as const;

const TABLE: Readonly<Record<Capability, Conditions>> = {
  canDownload: { features: ['downloads'], playable: true, mayChange: false, transcription: ANY },
  canShare: { features: ['sharing'], playable: false, mayChange: false, transcription: ANY },
  canViewTranscription: {
    features: ['transcription'],
    playable: false,
    mayChange: false,
    transcription: ANY,
  },
  canStartTranscription: {
    features: ['transcription'],
    playable: true,
    mayChange: true,
    transcription: ['not_started', 'failed'],
  },
  canRegenerateTranscription: {
    features: ['transcription'],
    playable: true,
    mayChange: true,
    transcription: ['completed'],
  },
  canRenameSpeaker: {
    features: ['transcription'],
    playable: false,
    mayChange: true,
    transcription: ['completed'],
  },
  canViewSummary: { features: ['summaries'], playable: false, mayChange: false, transcription: ANY },
  canGenerateSummary: {
    features: ['summaries'],
    playable: false,
    mayChange: true,
    transcription: ['completed'],
  },
  canAskQuestions: {
    features: ['questions', 'transcription'],
    playable: false,
    mayChange: false,
    transcription: ['completed'],
  },
};
const ROWS = Object.entries(TABLE) as [Capability, Conditions][];
const PLAYABLE: ReadonlySet<string> = new Set(['MIGRATING', 'COMPLETED']);

const can = (capability: Capability, facts: AccessFacts): boolean =>
  decideAccess(withoutKey(VIEWER), facts, NOW).capabilities[capability];

/** Facts that only just meet the conditions of a capability. */
function sufficient({ features, playable, mayChange, transcription }: Conditions): AccessFacts {
  const flags = Object.fromEntries(FEATURES.map((name) => [name, features.includes(name)])) as typeof ALL_ON;
  return organizationFacts({
    status: playable ? 'MIGRATING' : 'ERROR',
    transcriptionStatus: transcription[0] ?? 'completed',
    ...terms({ features: flags }),
    ...membership({ role: mayChange ? 'EDITOR' : 'VIEWER', features: flags }),
  });
}

it('there are nine capabilities', () => {
  expect(CAPABILITIES).toEqual(ROWS.map(([name]) => name));
});

describe.each(ROWS)('%s', (name, conditions) => {
  const facts = sufficient(conditions);

  it('is granted when its conditions are met, and requires nothing else', () => {
    expect(can(name, facts)).toBe(true);
  });

  it.each(FEATURES)(`depends on the feature flag %s exactly as in the table`, (feature) => {
    const off = { features: { ...ALL_ON, [feature]: false } };
    const expected = !conditions.features.includes(feature);
    const open = { ...facts, ...terms({}), ...membership({ role: facts.membership?.role ?? 'VIEWER' }) };
    expect(can(name, open)).toBe(true);
    expect(can(name, { ...open, ...terms(off) })).toBe(expected);
    expect(can(name, { ...open, ...membership({ ...open.membership, ...off }) })).toBe(expected);
  });

  it('depends on the plan exactly as in the table', () => {
    const onFree = !conditions.features.some((feature) => feature === 'downloads' || feature === 'questions');
    expect(can(name, { ...facts, ...terms({ plan: 'FREE' }) })).toBe(onFree);
    expect(can(name, { ...facts, ...terms({ plan: 'PRO' }) })).toBe(true);
    const personal = personalFacts({ status: facts.status, transcriptionStatus: facts.transcriptionStatus });
    expect(can(name, { ...personal, ownerPlan: 'FREE' })).toBe(onFree);
    expect(can(name, personal)).toBe(true);
  });

  it.each(RECORDING_STATUSES)('depends on the recording status %s exactly as in the table', (status) => {
    expect(can(name, { ...facts, status })).toBe(!conditions.playable || PLAYABLE.has(status));
  });

  it('of a recording created without media depends on there being some exactly as in the table', () => {
    expect(can(name, { ...facts, hasMedia: false })).toBe(true);
    expect(can(name, { ...facts, withoutMedia: true })).toBe(true);
    expect(can(name, { ...facts, hasMedia: false, withoutMedia: true })).toBe(!conditions.playable);
  });

  it.each(CONTENT_STATUSES)('depends on the transcription status %s exactly as in the table', (status) => {
    expect(can(name, { ...facts, transcriptionStatus: status })).toBe(
      conditions.transcription.includes(status),
    );
  });

  it.each([
    ['OWNER', false, true],
    ['ADMIN', false, true],
    ['EDITOR', true, true],
    ['EDITOR', false, false],
    ['VIEWER', true, false],
    ['VIEWER', false, false],
  ] as const)('as %s (own: %s) depends on being allowed to change it (%s)', (role, own, changes) => {
    const ownerId = own ? VIEWER : null;
    const seen = { ...facts, ownerId, ...membership({ ...facts.membership, role, viewAllRecordings: true }) };
    expect(can(name, seen)).toBe(changes || !conditions.mayChange);
  });

  it('is denied when locked', () => {
    const personal = personalFacts({ status: facts.status, transcriptionStatus: facts.transcriptionStatus });
    expect(can(name, { ...personal, createdAt: daysAgo(31) })).toBe(true);
    expect(can(name, { ...personal, createdAt: daysAgo(31), ownerPlan: 'FREE' })).toBe(false);
    expect(can(name, { ...facts, createdAt: daysAgo(31), ...terms({ plan: 'FREE' }) })).toBe(false);
  });

  it('is denied when the ENTERPRISE subscription has expired', () => {
    const expired = terms({ subscription: { status: 'expired', endsAt: null } });
    expect(can(name, { ...facts, ...expired })).toBe(false);
  });
});

it.each([
  ['STARTING', 'pending', 'pending'],
  ['CONNECTING', 'pending', 'pending'],
  ['WAIT_APPROVAL', 'pending', 'pending'],
  ['RECORDING', 'pending', 'pending'],
  ['UPLOADING', 'pending', 'pending'],
  ['PROCESSING', 'pending', 'pending'],
  ['TRANSCODING', 'pending', 'pending'],
  ['MIGRATING', 'available', 'none'],
  ['COMPLETED', 'available', 'none'],
  ['ERROR', 'none', 'none'],
] as const)('the media of a recording in %s is %s if any is stored, otherwise %s', (status, stored, not) => {
  const mediaOf = (hasMedia: boolean) =>
    decideAccess(withoutKey(VIEWER), personalFacts({ status, hasMedia }), NOW).media;
  expect([mediaOf(true), mediaOf(false)]).toEqual([stored, not]);
  const locked = personalFacts({ status, createdAt: daysAgo(31), ownerPlan: 'FREE' });
  expect(decideAccess(withoutKey(VIEWER), locked, NOW).media).toBe(stored);
});
