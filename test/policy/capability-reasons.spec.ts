import { describe, expect, it } from '@jest/globals';
import type { KeyScopes, Scope } from '../../src/contract/scopes.js';
import {
  CAPABILITIES,
  CAPABILITY_REASON_CODES,
  type Capability,
  type CapabilityReason,
  type CapabilityReasonCode,
} from '../../src/policy/capabilities.js';
import type { FeatureFlags } from '../../src/policy/plans.js';
import { Policy } from '../../src/policy/policy.service.js';
import { decideAccess, WHOLE_INSTALLATION, type AccessFacts } from '../../src/policy/recording-access.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { CONTENT_STATUSES, RECORDING_STATUSES } from '../../src/policy/recording-status.js';
import { withoutKey } from '../../src/policy/caller.js';
import { EVERYTHING } from '../../src/policy/reach.js';
import { ALL_ON, daysAgo, membership, NOW, organizationFacts, terms, VIEWER } from './facts.js';

const ALL_OFF: FeatureFlags = {
  downloads: false,
  sharing: false,
  transcription: false,
  summaries: false,
  questions: false,
};

interface Given {
  readonly facts: AccessFacts;
  readonly scopes: KeyScopes;
  readonly noTranscriber: string | null;
}

const reasonsOf = ({ facts, scopes, noTranscriber }: Given) =>
  decideAccess({ ...withoutKey(VIEWER), scopes }, facts, NOW, { ...WHOLE_INSTALLATION, noTranscriber })
    .reasons;

/** All is permitted, but for what a transcript makes impossible. */
const open: Given = {
  facts: organizationFacts(terms({ plan: 'PRO' })),
  scopes: null,
  noTranscriber: null,
};

const withFacts = (given: Given, facts: Partial<AccessFacts>): Given => ({
  ...given,
  facts: { ...given.facts, ...facts },
});

function withTerms(given: Given, changes: Partial<NonNullable<AccessFacts['organization']>>): Given {
  const { organization } = given.facts;
  return withFacts(given, terms({ ...organization, ...changes }));
}

function withMembership(given: Given, changes: Partial<NonNullable<AccessFacts['membership']>>): Given {
  return withFacts(given, membership({ ...given.facts.membership, ...changes }));
}

/** Makes a reason apply to each capability that can have it, and leaves everything else as it is. */
const CAUSES: Readonly<Record<CapabilityReasonCode, (given: Given) => Given>> = {
  scope: (given) => ({ ...given, scopes: ['profile:read'] }),
  expired: (given) =>
    withTerms(given, { plan: 'ENTERPRISE', subscription: { status: 'expired', endsAt: null } }),
  // Of ENTERPRISE that has expired, nothing is locked: PRO that has ended falls to FREE.
  locked: (given) =>
    withFacts(withTerms(given, { subscription: { status: 'expired', endsAt: null } }), {
      createdAt: daysAgo(31),
    }),
  plan: (given) => withTerms(given, { plan: 'FREE' }),
  organization_flag: (given) => withTerms(given, { features: ALL_OFF }),
  member_flag: (given) => withMembership(given, { features: ALL_OFF }),
  role: (given) => withMembership(given, { role: 'VIEWER', viewAllRecordings: true }),
  not_configured: (given) => ({ ...given, noTranscriber: 'no speech runtime' }),
  no_media: (given) => withFacts(given, { hasMedia: false, withoutMedia: true, status: 'COMPLETED' }),
  not_ready: (given) => withFacts(given, { transcriptionStatus: 'processing', status: 'PROCESSING' }),
};

const SCOPES_OF: Readonly<Record<Capability, readonly Scope[]>> = {
  canDownload: ['recordings:read'],
  canShare: ['shares:write', 'recordings:read', 'transcripts:read'],
  canViewTranscription: ['transcripts:read'],
  canStartTranscription: ['transcripts:write'],
  canRegenerateTranscription: ['transcripts:write'],
  canRenameSpeaker: ['transcripts:write'],
  canViewSummary: ['recordings:read'],
  canGenerateSummary: ['summaries:write'],
  canAskQuestions: ['questions'],
};

const FOR_ALL = ['scope', 'expired', 'locked'] as const;
const FLAGS = ['organization_flag', 'member_flag'] as const;

/** The reasons that each can have, in the order in which its operation refuses. */
const POSSIBLE: Readonly<Record<Capability, readonly CapabilityReasonCode[]>> = {
  canDownload: [...FOR_ALL, 'plan', ...FLAGS, 'no_media', 'not_ready'],
  canShare: [...FOR_ALL, ...FLAGS],
  canViewTranscription: [...FOR_ALL, ...FLAGS],
  canStartTranscription: [...FOR_ALL, ...FLAGS, 'role', 'not_configured', 'no_media', 'not_ready'],
  canRegenerateTranscription: [...FOR_ALL, ...FLAGS, 'role', 'not_configured', 'no_media', 'not_ready'],
  canRenameSpeaker: [...FOR_ALL, ...FLAGS, 'role', 'not_ready'],
  canViewSummary: [...FOR_ALL, ...FLAGS],
  canGenerateSummary: [...FOR_ALL, ...FLAGS, 'role', 'not_ready'],
  canAskQuestions: [...FOR_ALL, 'plan', ...FLAGS, 'not_ready'],
};

const possible = (Object.keys(POSSIBLE) as Capability[]).flatMap((capability) =>
  POSSIBLE[capability].map((reason) => [capability, reason] as const),
);

const pairs = (Object.keys(POSSIBLE) as Capability[]).flatMap((capability) =>
  POSSIBLE[capability].flatMap((first, index) =>
    POSSIBLE[capability].slice(index + 1).map((second) => [capability, first, second] as const),
  ),
);

/** Where nothing is against a capability. */
const possibleFor = (capability: Capability): Given =>
  withFacts(open, {
    transcriptionStatus: capability === 'canStartTranscription' ? 'not_started' : 'completed',
  });

const explained = (reason: CapabilityReasonCode): CapabilityReason => ({
  reason,
  plan: reason === 'plan' || reason === 'locked' ? 'PRO' : null,
});

it('there are ten reasons, in this order', () => {
  expect(CAPABILITY_REASON_CODES).toEqual(Object.keys(CAUSES));
});

it.each(CAPABILITIES)('%s has no reason where nothing is against it', (capability) => {
  expect(reasonsOf(possibleFor(capability))[capability]).toBeNull();
});

it.each(possible)('%s is false because of %s, with the plan that would allow it', (capability, reason) => {
  const given = CAUSES[reason](possibleFor(capability));
  expect(reasonsOf(given)[capability]).toEqual(explained(reason));
});

it.each(CAPABILITIES)('%s can have no other reason', (capability) => {
  for (const reason of CAPABILITY_REASON_CODES) {
    if (POSSIBLE[capability].includes(reason)) continue;
    expect([reason, reasonsOf(CAUSES[reason](possibleFor(capability)))[capability]]).toEqual([reason, null]);
  }
});

describe('the order of reasons', () => {
  // What is missing forever is not awaited as well, and a subscription that has expired locks nothing.
  const together = pairs.filter(
    ([, first, second]) => !(first === 'no_media' && second === 'not_ready') && first !== 'expired',
  );
  const causeBoth = (first: CapabilityReasonCode, second: CapabilityReasonCode, given: Given): Given => {
    // The plan FREE locks by itself, as a PRO subscription that has ended does.
    const order = second === 'plan' && first === 'locked' ? [second, first] : [first, second];
    return order.reduce((changed, reason) => CAUSES[reason](changed), given);
  };

  it.each(together)('of %s: %s comes before %s', (capability, first, second) => {
    const given = causeBoth(first, second, possibleFor(capability));
    expect(reasonsOf(given)[capability]).toEqual(explained(first));
  });

  it.each(pairs.filter(([, first]) => first === 'expired'))(
    'of %s: %s comes before %s',
    (capability, first, second) => {
      const given = CAUSES.expired(CAUSES[second](possibleFor(capability)));
      expect(reasonsOf(given)[capability]).toEqual(explained(first));
    },
  );

  it('of questions, the flags of transcription come before those of questions, as in the operation', () => {
    const noQuestions = { ...ALL_ON, questions: false };
    const noTranscription = { ...ALL_ON, transcription: false };
    const given = withMembership(withTerms(open, { features: noQuestions }), { features: noTranscription });
    expect(reasonsOf(given).canAskQuestions).toEqual(explained('member_flag'));
    expect(reasonsOf(withTerms(given, { plan: 'FREE' })).canAskQuestions).toEqual(explained('plan'));
  });
});

describe('an API key that is limited to scopes', () => {
  it.each(Object.entries(SCOPES_OF) as [Capability, Scope[]][])(
    'needs for %s the scopes %j',
    (capability, scopes) => {
      const given = possibleFor(capability);
      expect(reasonsOf({ ...given, scopes })[capability]).toBeNull();
      for (const missing of scopes) {
        const others = scopes.filter((scope) => scope !== missing);
        expect(reasonsOf({ ...given, scopes: others })[capability]).toEqual(explained('scope'));
      }
    },
  );

  it('gets media only with recordings:read', () => {
    const policy = new Policy(Object.assign(new Clock(), { now: () => NOW }), WHOLE_INSTALLATION);
    const key = { ...EVERYTHING, userId: VIEWER, revokedAt: null, expiresAt: null };
    const keyed = (scopes: KeyScopes) => policy.keyed({ ...key, scopes }, open.facts)?.capabilities;
    expect(keyed(['transcripts:read'])).toBeUndefined();
    expect(keyed(['recordings:read'])).toMatchObject({ canDownload: true, canViewTranscription: false });
    expect(keyed(null)).toMatchObject({ canDownload: true, canViewTranscription: true });
  });

  it('has no more than the user', () => {
    const given = withTerms(possibleFor('canShare'), { features: ALL_OFF });
    expect(reasonsOf({ ...given, scopes: SCOPES_OF.canShare }).canShare).toEqual(
      explained('organization_flag'),
    );
  });
});

describe('what is not there (yet)', () => {
  const reasonIn = (capability: Capability, facts: Partial<AccessFacts>) =>
    reasonsOf(withFacts(possibleFor(capability), facts))[capability]?.reason;

  it.each(RECORDING_STATUSES)(
    'media that is not playable in %s is awaited unless none will come',
    (status) => {
      const playable = status === 'COMPLETED' || status === 'MIGRATING';
      const expected = playable ? undefined : status === 'ERROR' ? 'no_media' : 'not_ready';
      for (const capability of [
        'canDownload',
        'canStartTranscription',
        'canRegenerateTranscription',
      ] as const) {
        expect(reasonIn(capability, { status })).toBe(expected);
      }
    },
  );

  it.each(CONTENT_STATUSES)('a transcription that is %s', (transcriptionStatus) => {
    const isStartable = transcriptionStatus === 'not_started' || transcriptionStatus === 'failed';
    expect(reasonIn('canStartTranscription', { transcriptionStatus })).toBe(
      isStartable ? undefined : 'not_ready',
    );
    const needy = [
      'canRegenerateTranscription',
      'canRenameSpeaker',
      'canGenerateSummary',
      'canAskQuestions',
    ] as const;
    for (const capability of needy) {
      const expected = transcriptionStatus === 'completed' ? undefined : 'not_ready';
      expect(reasonIn(capability, { transcriptionStatus })).toBe(expected);
    }
  });
});

it('a capability is true exactly if there is no reason against it', () => {
  for (const [capability, reason] of possible) {
    const { facts, scopes, noTranscriber } = CAUSES[reason](possibleFor(capability));
    const { capabilities, reasons } = decideAccess({ ...withoutKey(VIEWER), scopes }, facts, NOW, {
      ...WHOLE_INSTALLATION,
      noTranscriber,
    });
    for (const each of CAPABILITIES) expect(capabilities[each]).toBe(reasons[each] === null);
  }
});
