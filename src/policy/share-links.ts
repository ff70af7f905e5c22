import { invalid } from '../contract/domain-error.js';
import { isLimited, type KeyFacts, type KeyLimits } from './api-keys.js';
import { withoutKey, type Caller, type Viewer } from './caller.js';
import { NOT_IN_SCOPE, type CapabilityReason, type CapabilityReasonCode } from './capabilities.js';
import type { FeatureFlags } from './plans.js';
import { reachesPlace } from './reach.js';
import {
  decideTerms,
  decideWithin,
  type AccessFacts,
  type Installation,
  type RecordingAccess,
} from './recording-access.js';

/** Who created a link, and in which organization; null: the recording was personal. */
export interface ShareLinkOrigin {
  readonly createdBy: string;
  readonly organizationId: string | null;
  /** The limits of the API key that it ends with; null: none. */
  readonly key: Omit<Viewer, 'id'> | null;
}

/** Stands for the recipient of a link, who owns nothing and is a member of nothing. */
const NOBODY = withoutKey('');

/**
 * What recipients of a link may use: what is currently allowed by the plan, the organization's flags, those of its
 * creator, whose membership is in `facts`, and the API key that it ends with. Null: the link does not open. Whether the
 * creator still sees the recording does not matter: a link is passed on to others, and access is withdrawn by revoking
 * it.
 */
export function decideShared(
  link: ShareLinkOrigin,
  facts: AccessFacts,
  now: Date,
  installation: Installation,
): RecordingAccess | null {
  if (link.organizationId !== facts.organizationId) return null;
  const belongs =
    facts.organizationId === null ? facts.ownerId === link.createdBy : facts.membership !== null;
  const recipient = { ...NOBODY, ...link.key };
  if (!belongs || !reachesPlace(recipient, facts)) return null;
  const terms = decideTerms(recipient, facts, now);
  const access = decideWithin(terms, recipient, { ...facts, membership: null }, installation);
  return access.capabilities.canShare ? access : null;
}

/** What a link can permit its recipients. */
export const RECIPIENT_CAPABILITIES = ['canDownload', 'canViewTranscription', 'canViewSummary'] as const;
export type RecipientCapability = (typeof RECIPIENT_CAPABILITIES)[number];

/** Recipients learn that the link does not permit something, not which plan or feature flag is the reason. */
const WITHHELD: ReadonlySet<CapabilityReasonCode> = new Set(['plan', 'organization_flag', 'member_flag']);

/** Why recipients of a link cannot do something; null if they can. */
export function reasonForRecipients(
  capability: RecipientCapability,
  permission: 'view' | 'download',
  { reasons }: Pick<RecordingAccess, 'reasons'>,
): CapabilityReason | null {
  if (capability === 'canDownload' && permission === 'view') return NOT_IN_SCOPE;
  const known = reasons[capability];
  return known && WITHHELD.has(known.reason) ? NOT_IN_SCOPE : known;
}

/** Whether the creator's flags allow the permission of a link; null: personal recordings have no member flags. */
export const creatorMayShare = (
  permission: 'view' | 'download',
  flags: Pick<FeatureFlags, 'sharing' | 'downloads'> | null,
): boolean => flags === null || (flags.sharing && (permission === 'view' || flags.downloads));

/** An expired link never opens again. */
export const isExpired = ({ expiresAt }: { readonly expiresAt: Date | null }, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

/** When a link ends, by itself or with its API key; null: never. `expiresAt` is its own. */
export function endOf(
  expiresAt: Date | null,
  apiKey: (Pick<KeyLimits, 'expiresAt'> & Partial<Pick<KeyFacts, 'revokedAt'>>) | null | undefined,
): Date | null {
  const ends = [expiresAt, apiKey?.expiresAt ?? null, apiKey?.revokedAt ?? null].filter(
    (end) => end !== null,
  );
  return ends.length === 0 ? null : new Date(Math.min(...ends.map(Number)));
}

/** The API key that a link ends with which this one makes or takes over; null: none, as this one is not limited. */
export const keyOfLinks = ({ apiKey }: Pick<Caller, 'apiKey'>): string | null =>
  isLimited(apiKey) ? apiKey.id : null;

/** Refuses an expiry of a link after that of the API key that gives it. */
export function requireEndWithKey(
  expiresAt: Date | null | undefined,
  { apiKey }: Pick<Caller, 'apiKey'>,
): void {
  const end = apiKey.expiresAt;
  if (expiresAt === undefined || end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw invalid(
    `expires_at: must not be ${expiresAt === null ? 'null, nor ' : ''}after ${end.toISOString()}, when the API key of this request expires`,
  );
}

/** Who may list, change and revoke a link: its creator, and everyone who may change the recording. */
export const mayControl = (
  viewerId: string,
  { createdBy }: Pick<ShareLinkOrigin, 'createdBy'>,
  { mayChange }: { readonly mayChange: boolean },
): boolean => mayChange || createdBy === viewerId;
