import type { FeatureFlags } from './plans.js';
import {
  decideTerms,
  decideWithin,
  type AccessFacts,
  type Installation,
  type RecordingAccess,
} from './recording-access.js';

/** Who made a link, and in which organization; null: the recording was personal. */
export interface ShareLinkOrigin {
  readonly createdBy: string;
  readonly organizationId: string | null;
}

/** Owns nothing and is a member of nothing, as a recipient of a link. */
const NOBODY = '';

/**
 * What recipients of a link may use: what plan, the organization's flags and those of its creator, whose membership
 * `facts` hold, allow at this moment. Null: the link does not open. What the creator sees is not asked: a link is handed
 * on, and its recording is taken back by revoking it.
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
  if (!belongs) return null;
  const terms = decideTerms(facts, now);
  const access = decideWithin(terms, NOBODY, { ...facts, membership: null }, installation);
  return access.capabilities.canShare ? access : null;
}

/** Whether the flags of a link's creator allow what the link is for; null: a personal recording has no member's flags. */
export function creatorMayShare(
  permission: 'view' | 'download',
  flags: Pick<FeatureFlags, 'sharing' | 'downloads'> | null,
): boolean {
  return flags === null || (flags.sharing && (permission === 'view' || flags.downloads));
}

/** An expired link opens nothing, and never again. */
export function isExpired({ expiresAt }: { readonly expiresAt: Date | null }, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Who may list, change and revoke it: its creator, and everybody who may change the recording. */
export function mayControl(
  viewerId: string,
  { createdBy }: Pick<ShareLinkOrigin, 'createdBy'>,
  { mayChange }: { readonly mayChange: boolean },
): boolean {
  return mayChange || createdBy === viewerId;
}
