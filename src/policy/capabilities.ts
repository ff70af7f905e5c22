import { hasScopes, TO_SHARE, type KeyScopes, type Scope } from '../contract/scopes.js';
import { hasAllHistory, lowestPlan, type Feature, type FeatureRefusals, type Plan } from './plans.js';
import { CONTENT_STATUSES, type ContentStatus, type MediaState } from './recording-status.js';

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

/** Why a capability is false, in the order in which its operation refuses: the first that applies is given. */
export const CAPABILITY_REASON_CODES = [
  'scope',
  'expired',
  'locked',
  'plan',
  'organization_flag',
  'member_flag',
  'role',
  'not_configured',
  'no_media',
  'not_ready',
] as const;
export type CapabilityReasonCode = (typeof CAPABILITY_REASON_CODES)[number];

export interface CapabilityReason {
  readonly reason: CapabilityReasonCode;
  /** The lowest plan that would remove the reasons `plan` and `locked`; null for all others. */
  readonly plan: Plan | null;
}

/** Null for a capability that is true. */
export type CapabilityReasons = Readonly<Record<Capability, CapabilityReason | null>>;

/** What decides about the capabilities. */
export interface CapabilityFacts {
  readonly scopes: KeyScopes;
  readonly expired: boolean;
  readonly locked: boolean;
  readonly refusals: FeatureRefusals;
  readonly mayChange: boolean;
  /** Whether the installation can transcribe. */
  readonly transcriber: boolean;
  readonly media: MediaState;
  readonly transcription: ContentStatus;
}

/** What a capability requires, besides a recording that is neither locked nor expired. */
interface Requirements {
  /** What an API key that is limited to scopes must have. */
  readonly scopes: readonly Scope[];
  /** In the order in which they are refused, see `firstRefused`. */
  readonly features: readonly Feature[];
  readonly mayChange: boolean;
  readonly transcriber: boolean;
  readonly media: boolean;
  /** Any of these statuses of the transcription. */
  readonly transcription: readonly ContentStatus[];
}

const ANY = CONTENT_STATUSES;
const TRANSCRIBED = ['completed'] as const;
const UNTRANSCRIBED = ['not_started', 'failed'] as const;

const READING = { mayChange: false, transcriber: false, media: false, transcription: ANY } as const;
const CHANGING = { mayChange: true, transcriber: false, media: false, transcription: TRANSCRIBED } as const;
const TRANSCRIBING = {
  scopes: ['transcripts:write'],
  features: ['transcription'],
  mayChange: true,
  transcriber: true,
  media: true,
} as const;

const REQUIREMENTS: Readonly<Record<Capability, Requirements>> = {
  canDownload: { scopes: ['recordings:read'], features: ['downloads'], ...READING, media: true },
  canShare: { scopes: TO_SHARE, features: ['sharing'], ...READING },
  canViewTranscription: { scopes: ['transcripts:read'], features: ['transcription'], ...READING },
  canStartTranscription: { ...TRANSCRIBING, transcription: UNTRANSCRIBED },
  canRegenerateTranscription: { ...TRANSCRIBING, transcription: TRANSCRIBED },
  canRenameSpeaker: { scopes: ['transcripts:write'], features: ['transcription'], ...CHANGING },
  canViewSummary: { scopes: ['recordings:read'], features: ['summaries'], ...READING },
  canGenerateSummary: { scopes: ['summaries:write'], features: ['summaries'], ...CHANGING },
  canAskQuestions: {
    scopes: ['questions'],
    features: ['transcription', 'questions'],
    ...READING,
    transcription: TRANSCRIBED,
  },
};

/** Shared by all replies, because a list has some of them in every row. */
const REASONS = Object.fromEntries(
  CAPABILITY_REASON_CODES.map((reason) => [reason, Object.freeze({ reason, plan: null })]),
) as Readonly<Record<CapabilityReasonCode, CapabilityReason>>;

const LOCKED: CapabilityReason = Object.freeze({
  reason: 'locked',
  plan: lowestPlan(hasAllHistory) ?? null,
});

const NOT_IN_PLAN = Object.fromEntries(
  CAPABILITIES.map((capability) => {
    const { features } = REQUIREMENTS[capability];
    const plan = lowestPlan((rules) => features.every((feature) => rules.features[feature])) ?? null;
    return [capability, Object.freeze({ reason: 'plan', plan })];
  }),
) as Readonly<Record<Capability, CapabilityReason>>;

export const NOT_IN_SCOPE = REASONS.scope;

export interface CapabilityDecision {
  readonly capabilities: Capabilities;
  readonly reasons: CapabilityReasons;
}

/** The decision about all capabilities: each is true if there is no reason against it. */
export function decideCapabilities(facts: CapabilityFacts): CapabilityDecision {
  const capabilities = {} as Record<Capability, boolean>;
  const reasons = {} as Record<Capability, CapabilityReason | null>;
  for (const capability of CAPABILITIES) {
    const reason = reasonAgainst(capability, facts);
    reasons[capability] = reason;
    capabilities[capability] = reason === null;
  }
  return { capabilities, reasons };
}

/**
 * The first reason against a capability, in the order of `CAPABILITY_REASON_CODES`; a table test compares the two. Plain
 * conditions, as this runs nine times for every row of a list: as a table of functions, they took four times as long.
 */
function reasonAgainst(capability: Capability, facts: CapabilityFacts): CapabilityReason | null {
  const needs = REQUIREMENTS[capability];
  if (!hasScopes(facts.scopes, needs.scopes)) return REASONS.scope;
  if (facts.expired) return REASONS.expired;
  if (facts.locked) return LOCKED;
  const refused = firstRefused(facts.refusals, needs.features);
  const refusal = refused && facts.refusals[refused];
  if (refusal) return refusal === 'plan' ? NOT_IN_PLAN[capability] : REASONS[refusal];
  if (needs.mayChange && !facts.mayChange) return REASONS.role;
  if (needs.transcriber && !facts.transcriber) return REASONS.not_configured;
  if (needs.media && facts.media === 'none') return REASONS.no_media;
  if (needs.media && facts.media === 'pending') return REASONS.not_ready;
  return needs.transcription.includes(facts.transcription) ? null : REASONS.not_ready;
}

/** Whether the scopes, the plan and the feature flags permit it for recordings that are neither locked nor expired. */
export function isPermitted(
  capability: Capability,
  { scopes, refusals }: Pick<CapabilityFacts, 'scopes' | 'refusals'>,
): boolean {
  const { scopes: needed, features } = REQUIREMENTS[capability];
  return hasScopes(scopes, needed) && firstRefused(refusals, features) === undefined;
}

/** The feature for which an operation is refused that requires all of these: one that the plan lacks comes first. */
export function firstRefused(refusals: FeatureRefusals, features: readonly Feature[]): Feature | undefined {
  let first: Feature | undefined;
  for (const feature of features) {
    if (refusals[feature] === 'plan') return feature;
    if (refusals[feature] !== null) first ??= feature;
  }
  return first;
}
