import { organizationStanding, PLAN_CATALOG } from './plans.js';
import type { Feature, FeatureFlags, Plan, Subscription, UserPlan } from './plans.js';
import { isPlayable, type ContentStatus, type RecordingStatus } from './recording-status.js';
import { canSee, mayChange, type Membership, type Placement } from './visibility.js';

/** The organization of a recording as far as its plan and feature flags go. */
export interface OrganizationTerms {
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly features: FeatureFlags;
}

/** Everything that one decision about one recording and one viewer rests on. */
export interface AccessFacts extends Placement {
  readonly status: RecordingStatus;
  readonly createdAt: Date;
  readonly transcriptionStatus: ContentStatus;
  /** Counts when the recording has no organization; null when its owner is gone. */
  readonly ownerPlan: UserPlan | null;
  readonly organization: OrganizationTerms | null;
  readonly membership: (Membership & { readonly features: FeatureFlags }) | null;
}

/** What this installation of the service has been set up for. */
export interface Installation {
  /** There is a server that transcribes. */
  readonly transcriber: boolean;
}

/** Why a feature cannot be used, or `null` when it can. */
export type FeatureRefusal = 'plan' | 'flag' | null;

export interface RecordingAccess {
  readonly visible: boolean;
  /** The plan that counts: the organization's, FREE once its subscription has ended, or the owner's. */
  readonly plan: Plan;
  /** The organization's Enterprise subscription has ended. */
  readonly expired: boolean;
  /** Older than the plan's history. */
  readonly locked: boolean;
  readonly mayChange: boolean;
  readonly playable: boolean;
  readonly refusals: Readonly<Record<Feature, FeatureRefusal>>;
  readonly capabilities: Capabilities;
}

export const CAPABILITIES = [
  'canDownload',
  'canShare',
  'canViewTranscription',
  'canStartTranscription',
  'canRegenerateTranscription',
  'canRenameSpeaker',
  'canViewSummary',
  'canGenerateSummary',
  'canAskQuestions',
] as const;
export type Capability = (typeof CAPABILITIES)[number];
export type Capabilities = Readonly<Record<Capability, boolean>>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What holds alike for all recordings of one organization, or all personal ones of one owner, and one viewer. */
export interface ScopeTerms {
  readonly plan: Plan;
  readonly expired: boolean;
  /** Recordings created before it are locked; null: none is. */
  readonly openFrom: Date | null;
  readonly refusals: Readonly<Record<Feature, FeatureRefusal>>;
}

export type TermsFacts = Pick<AccessFacts, 'ownerPlan' | 'organization' | 'membership'>;

/** The part of the decision that does not depend on the recording. */
export function decideTerms(facts: TermsFacts, now: Date): ScopeTerms {
  const { plan, expired } = facts.organization
    ? organizationStanding(facts.organization.plan, facts.organization.subscription, now)
    : { plan: facts.ownerPlan ?? 'FREE', expired: false };
  const { historyDays } = PLAN_CATALOG[plan];
  return {
    plan,
    expired,
    openFrom: historyDays === null ? null : new Date(now.getTime() - historyDays * DAY_MS),
    refusals: featureRefusals(plan, facts),
  };
}

/** The one decision that list, detail, transcript, share, patch and delete rest on. Pure: same facts, same answer. */
export function decideAccess(
  viewerId: string,
  facts: AccessFacts,
  now: Date,
  installation: Installation = { transcriber: true },
): RecordingAccess {
  return decideWithin(decideTerms(facts, now), viewerId, facts, installation);
}

/** The part of the decision that is the recording's own. */
export function decideWithin(
  terms: ScopeTerms,
  viewerId: string,
  facts: AccessFacts,
  { transcriber }: Installation,
): RecordingAccess {
  const locked = terms.openFrom !== null && facts.createdAt < terms.openFrom;
  const { refusals } = terms;
  const changeable = mayChange(viewerId, facts, facts.membership);
  const playable = isPlayable(facts.status);
  return {
    visible: canSee(viewerId, facts, facts.membership),
    plan: terms.plan,
    expired: terms.expired,
    locked,
    mayChange: changeable,
    playable,
    refusals,
    capabilities: decideCapabilities({
      open: !terms.expired && !locked,
      has: (feature) => refusals[feature] === null,
      mayChange: changeable,
      playable,
      transcriber,
      transcription: facts.transcriptionStatus,
    }),
  };
}

/** A feature needs the plan, the organization's feature flag and the member's. */
function featureRefusals(plan: Plan, facts: TermsFacts): Record<Feature, FeatureRefusal> {
  const refusal = (feature: Feature): FeatureRefusal => {
    if (!PLAN_CATALOG[plan].features[feature]) return 'plan';
    if (facts.organization && !facts.organization.features[feature]) return 'flag';
    if (facts.membership && !facts.membership.features[feature]) return 'flag';
    return null;
  };
  return {
    downloads: refusal('downloads'),
    sharing: refusal('sharing'),
    transcription: refusal('transcription'),
    summaries: refusal('summaries'),
    questions: refusal('questions'),
  };
}

interface CapabilityFacts {
  readonly open: boolean;
  readonly has: (feature: Feature) => boolean;
  readonly mayChange: boolean;
  readonly playable: boolean;
  readonly transcriber: boolean;
  readonly transcription: ContentStatus;
}

function decideCapabilities(facts: CapabilityFacts): Capabilities {
  const { open, has, playable } = facts;
  const transcribed = facts.transcription === 'completed';
  const untranscribed = facts.transcription === 'not_started' || facts.transcription === 'failed';
  const transcription = open && has('transcription');
  const transcribable = transcription && facts.transcriber && playable && facts.mayChange;
  return {
    canDownload: open && has('downloads') && playable,
    canShare: open && has('sharing'),
    canViewTranscription: transcription,
    canStartTranscription: transcribable && untranscribed,
    canRegenerateTranscription: transcribable && transcribed,
    canRenameSpeaker: transcription && facts.mayChange && transcribed,
    canViewSummary: open && has('summaries'),
    canGenerateSummary: open && has('summaries') && facts.mayChange && transcribed,
    canAskQuestions: transcription && has('questions') && transcribed,
  };
}
