import { organizationStanding, PLAN_CATALOG } from './plans.js';
import type { Feature, FeatureFlags, Plan, PlanSource, Subscription, UserPlan } from './plans.js';
import {
  isPlayable,
  mediaState,
  type ContentStatus,
  type MediaState,
  type RecordingStatus,
} from './recording-status.js';
import { canSee, mayChange, type Membership, type Placement } from './visibility.js';

/** Plan and feature flags of the organization of a recording. */
export interface OrganizationTerms {
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly features: FeatureFlags;
}

/** Everything needed to decide about one recording and one viewer. */
export interface AccessFacts extends Placement {
  readonly status: RecordingStatus;
  /** Whether any media is stored. */
  readonly hasMedia: boolean;
  /** Whether it was created without media. */
  readonly withoutMedia: boolean;
  readonly createdAt: Date;
  readonly transcriptionStatus: ContentStatus;
  /** Applies if the recording has no organization; null if its owner was deleted. */
  readonly ownerPlan: UserPlan | null;
  readonly organization: OrganizationTerms | null;
  readonly membership: (Membership & { readonly features: FeatureFlags }) | null;
}

/** What this installation can do. */
export interface Installation {
  /** Why it can transcribe neither by itself nor with a server; null if it can. */
  readonly noTranscriber: string | null;
}

export const WHOLE_INSTALLATION: Installation = { noTranscriber: null };

/** Why a feature is unavailable, or `null` if it is available. */
export type FeatureRefusal = 'plan' | 'flag' | null;

export interface RecordingAccess {
  readonly visible: boolean;
  /** The effective plan: the organization's, FREE once its subscription has ended, or the owner's. */
  readonly plan: Plan;
  readonly planSource: PlanSource;
  /** The organization's Enterprise subscription has ended. */
  readonly expired: boolean;
  /** Older than the plan's history. */
  readonly locked: boolean;
  readonly mayChange: boolean;
  readonly media: MediaState;
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

/** What is the same for one viewer and all recordings of one organization, or all personal recordings of one owner. */
export interface ScopeTerms {
  readonly plan: Plan;
  readonly planSource: PlanSource;
  readonly expired: boolean;
  /** Recordings created before this time are locked; null: none are. */
  readonly openFrom: Date | null;
  readonly refusals: Readonly<Record<Feature, FeatureRefusal>>;
}

export type TermsFacts = Pick<AccessFacts, 'ownerPlan' | 'organization' | 'membership'>;

/** The part of the decision that does not depend on the recording. */
export function decideTerms(facts: TermsFacts, now: Date): ScopeTerms {
  const { plan, planSource, expired } = facts.organization
    ? organizationStanding(facts.organization.plan, facts.organization.subscription, now)
    : { plan: facts.ownerPlan ?? 'FREE', planSource: 'owner' as const, expired: false };
  const { historyDays } = PLAN_CATALOG[plan];
  return {
    plan,
    planSource,
    expired,
    openFrom: historyDays === null ? null : new Date(now.getTime() - historyDays * DAY_MS),
    refusals: featureRefusals(plan, facts),
  };
}

/** The one decision behind list, detail, transcript, share, patch and delete. A pure function. */
export function decideAccess(
  viewerId: string,
  facts: AccessFacts,
  now: Date,
  installation: Installation = WHOLE_INSTALLATION,
): RecordingAccess {
  return decideWithin(decideTerms(facts, now), viewerId, facts, installation);
}

/** The part of the decision that is specific to the recording. */
export function decideWithin(
  terms: ScopeTerms,
  viewerId: string,
  facts: AccessFacts,
  { noTranscriber }: Installation,
): RecordingAccess {
  const locked = terms.openFrom !== null && facts.createdAt < terms.openFrom;
  const { refusals } = terms;
  const changeable = mayChange(viewerId, facts, facts.membership);
  const media = mediaState(facts.status, facts.hasMedia);
  return {
    visible: canSee(viewerId, facts, facts.membership),
    plan: terms.plan,
    planSource: terms.planSource,
    expired: terms.expired,
    locked,
    mayChange: changeable,
    media,
    refusals,
    capabilities: decideCapabilities({
      open: !terms.expired && !locked,
      has: (feature) => refusals[feature] === null,
      mayChange: changeable,
      // What is missing from an imported recording may still come; that none belongs to it has to be said.
      playable: isPlayable(facts.status) && (facts.hasMedia || !facts.withoutMedia),
      transcriber: noTranscriber === null,
      transcription: facts.transcriptionStatus,
    }),
  };
}

/** Whether video and HLS may be played. The thumbnail may be shown even if they may not. */
export function mayPlay({ expired, locked, media }: RecordingAccess): boolean {
  return media === 'available' && !expired && !locked;
}

/** A feature must be included in the plan and enabled by the feature flags of the organization and of the member. */
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
