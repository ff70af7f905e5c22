import type { KeyScopes } from '../contract/scopes.js';
import type { Viewer } from './caller.js';
import { decideCapabilities, type CapabilityDecision } from './capabilities.js';
import { featureRefusals, organizationStanding, PLAN_CATALOG } from './plans.js';
import type { FeatureFlags, FeatureRefusals, Plan, PlanSource, Subscription, UserPlan } from './plans.js';
import {
  isPlayable,
  mediaState,
  type ContentStatus,
  type MediaState,
  type RecordingStatus,
  type ShownStatus,
} from './recording-status.js';
import { reachesPlace } from './reach.js';
import { canSee, mayChange, type Membership, type Placement } from './roles.js';
import { DAY_MS } from '../lib/durations.js';

/** Plan and feature flags of the organization of a recording. */
export interface OrganizationTerms {
  readonly plan: Plan;
  readonly subscription: Subscription;
  readonly features: FeatureFlags;
}

/** Everything needed to decide about one recording and one viewer. */
export interface AccessFacts extends Placement {
  readonly status: RecordingStatus;
  readonly hasMedia: boolean;
  readonly withoutMedia: boolean;
  readonly createdAt: Date;
  readonly transcriptionStatus: ContentStatus;
  /** Whether it was created to be transcribed. */
  readonly toTranscribe: boolean;
  /** Applies if the recording has no organization; null if its owner was deleted. */
  readonly ownerPlan: UserPlan | null;
  readonly organization: OrganizationTerms | null;
  readonly membership: (Membership & { readonly features: FeatureFlags }) | null;
}

export interface Installation {
  /** Why it can transcribe neither by itself nor with a server; null if it can. */
  readonly noTranscriber: string | null;
  /** Whether it summarizes new transcripts. */
  readonly autoSummarize: boolean;
}

export const WHOLE_INSTALLATION: Installation = { noTranscriber: null, autoSummarize: true };

export interface RecordingAccess extends CapabilityDecision {
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
  readonly refusals: FeatureRefusals;
  /** As stored, or whether it begins once the media can be played. */
  readonly transcription: ShownStatus;
  /** Of a summary that is not stored: whether it begins once there is a transcript. */
  readonly missingSummary: 'queued' | 'not_started';
}

/** What is the same for one viewer and all recordings of one organization, or all personal recordings of one owner. */
export interface ScopeTerms {
  readonly plan: Plan;
  readonly planSource: PlanSource;
  readonly expired: boolean;
  /** Recordings created before this time are locked; null: none are. */
  readonly openFrom: Date | null;
  readonly refusals: FeatureRefusals;
  /** What the viewer's API key is limited to. */
  readonly scopes: KeyScopes;
}

export type TermsFacts = Pick<AccessFacts, 'ownerPlan' | 'organization' | 'membership'>;

/** The part of the decision that does not depend on the recording. */
export function decideTerms({ scopes }: Pick<Viewer, 'scopes'>, facts: TermsFacts, now: Date): ScopeTerms {
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
    scopes,
  };
}

/** The one decision behind list, detail, transcript, share, patch and delete. A pure function. */
export const decideAccess = (
  viewer: Viewer,
  facts: AccessFacts,
  now: Date,
  installation: Installation = WHOLE_INSTALLATION,
): RecordingAccess => decideWithin(decideTerms(viewer, facts, now), viewer, facts, installation);

/** The part of the decision that is specific to the recording. */
export function decideWithin(
  terms: ScopeTerms,
  viewer: Viewer,
  facts: AccessFacts,
  { noTranscriber, autoSummarize }: Installation,
): RecordingAccess {
  const locked = terms.openFrom !== null && facts.createdAt < terms.openFrom;
  const changeable = mayChange(viewer.id, facts, facts.membership);
  const media = mediaState(facts.status, facts.hasMedia);
  const { expired, refusals, scopes } = terms;
  const isAwaited = media === 'pending' && noTranscriber === null && refusals.transcription === null;
  const { transcriptionStatus: status, toTranscribe } = facts;
  const transcription = status === 'not_started' && toTranscribe && isAwaited ? 'queued' : status;
  const isComing = transcription === 'queued' || transcription === 'processing';
  const { capabilities, reasons } = decideCapabilities({
    scopes,
    expired,
    locked,
    refusals,
    mayChange: changeable,
    transcriber: noTranscriber === null,
    // What is missing from an imported recording may still come; that none belongs to it has to be said.
    media: isPlayable(facts.status) && !facts.withoutMedia ? 'available' : media,
    transcription: status,
  });
  return {
    visible: reachesPlace(viewer, facts) && canSee(viewer.id, facts, facts.membership),
    plan: terms.plan,
    planSource: terms.planSource,
    expired,
    locked,
    mayChange: changeable,
    media,
    refusals,
    transcription,
    missingSummary: autoSummarize && isComing && refusals.summaries === null ? 'queued' : 'not_started',
    capabilities,
    reasons,
  };
}

/** Whether video and HLS may be played. The thumbnail may be shown even if they may not. */
export const mayPlay = ({ expired, locked, media }: RecordingAccess): boolean =>
  media === 'available' && !expired && !locked;
