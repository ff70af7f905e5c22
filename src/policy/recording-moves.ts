import { flagRefusal, type Feature } from './plans.js';
import type { AccessFacts } from './recording-access.js';
import { ROLE_CATALOG } from './roles.js';

/** What flags withhold where a recording is must not be had by choosing another place for it. */
const REQUIRED = ['downloads', 'sharing'] as const satisfies readonly Feature[];

/** What decides about taking a recording that the mover may change out of its organization, if it is in one. */
export interface LeavingFacts extends Pick<AccessFacts, 'ownerId' | 'organization' | 'membership'> {
  /** The organization's setting `members_may_take_recordings`. */
  readonly membersMayTake: boolean;
  /** Whether its owner is a member of the organization, and so sees it. */
  readonly ownerIsMember: boolean;
}

export type Destination =
  | 'personal'
  /** An organization in which the owner of the recording sees it, being a member. */
  | 'seen by its owner'
  | 'hidden from its owner';

export type LeavingRefusal =
  /** This feature flag is off for the organization or for the mover. */
  | (typeof REQUIRED)[number]
  /** The mover is neither its owner nor an OWNER. */
  | 'not theirs'
  /** The mover is its owner, but members may not take their recordings. */
  | 'kept'
  /** Everybody would lose it to a mover who is not its owner. */
  | 'not personal'
  /** Its owner would lose it. */
  | 'hidden';

/** Why a recording cannot be moved out of its organization; null if it can. Personal ones leave nothing. */
export function leavingRefusal(moverId: string, facts: LeavingFacts, to: Destination): LeavingRefusal | null {
  const { organization, membership } = facts;
  if (!organization || !membership) return null;
  const off = REQUIRED.find((flag) => flagRefusal(flag, facts) !== null);
  if (off) return off;
  const isOwner = facts.ownerId === moverId;
  const { takes } = ROLE_CATALOG[membership.role];
  if (takes !== 'any') {
    if (!isOwner) return 'not theirs';
    return takes === 'own' || facts.membersMayTake ? null : 'kept';
  }
  if (isOwner) return null;
  if (to === 'personal') return 'not personal';
  return facts.ownerIsMember && to === 'hidden from its owner' ? 'hidden' : null;
}
