import { DomainError, invalid } from '../../../contract/domain-error.js';
import { explainFlag } from '../../../policy/advice.js';
import type { Caller } from '../../../policy/caller.js';
import { flagRefusal, type Feature, type FlagFacts } from '../../../policy/plans.js';
import { leavingRefusal, type Destination, type LeavingRefusal } from '../../../policy/recording-moves.js';
import { lockedError, notEditable } from '../access/public/access-refusals.js';
import { column, extraColumns, type RowOf } from '../access/public/columns.js';
import type { DecidedRecording } from '../access/recording-access.service.js';

/** Where recordings are to be; what is undefined stays as it is. */
export interface Move {
  /** Null: personal again. */
  readonly organizationId?: string | null;
  /** Null: in no folder. A recording that changes its organization is in none unless one is given. */
  readonly folderId?: string | null;
}

/** What decides about taking a recording away, besides the access to it. */
const LEAVING_COLUMNS = {
  membersMayTake: column<boolean>('COALESCE(o.members_may_take_recordings, false)'),
  ownerIsMember: column<boolean>(`EXISTS (SELECT FROM organization_members n
            WHERE n.organization_id = r.organization_id AND n.user_id = r.owner_id)`),
  externalId: column<string | null>('r.external_id'),
};

export const LEAVING = extraColumns('leaving', LEAVING_COLUMNS);

export type MovingRecording = DecidedRecording<RowOf<typeof LEAVING_COLUMNS>>;

export const changesOrganization = ({ facts }: MovingRecording, { organizationId }: Move): boolean =>
  organizationId !== undefined && (organizationId?.toLowerCase() ?? null) !== facts.organizationId;

export const notItsFolder = (): DomainError =>
  invalid("folder_id: must be a folder of the recording's organization, or send organization_id too");

const LEAVING_REFUSALS: Readonly<Record<Exclude<LeavingRefusal, Feature>, string>> = {
  'not theirs': 'Only its owner or an OWNER of its organization can move a recording out of it.',
  kept: 'Only an OWNER or ADMIN can move recordings out of this organization. An OWNER can permit every member to move their own (members_may_take_recordings).',
  'not personal': 'Only its owner can make a recording personal.',
  hidden:
    'The recording cannot be moved there, because its owner is not a member of that organization and would no longer see it. An OWNER or ADMIN of that organization can invite them.',
};

/** Says why a recording cannot be taken out of its organization. */
function explainLeaving(refusal: LeavingRefusal, facts: FlagFacts): string {
  if (refusal !== 'downloads' && refusal !== 'sharing') return LEAVING_REFUSALS[refusal];
  const off = flagRefusal(refusal, facts) ?? 'member_flag';
  return `Recordings leave an organization only by members with downloads and sharing. ${explainFlag(refusal, off)}`;
}

/** Says why the caller cannot move a recording; null if they can. `ownersThere` are members of the destination. */
export function refusalOf(
  caller: Caller,
  recording: MovingRecording | undefined,
  move: Move,
  ownersThere: ReadonlySet<string>,
): DomainError | null {
  if (!recording) return new DomainError('RECORDING_NOT_FOUND');
  const { access, facts, columns } = recording;
  if (!access.mayChange) return notEditable();
  if (changesOrganization(recording, move)) {
    if (access.expired) return new DomainError('ORGANIZATION_SUBSCRIPTION_EXPIRED');
    if (access.locked) return lockedError(access);
    const to = destinationFor(facts.ownerId, move, ownersThere);
    const refusal = leavingRefusal(caller.id, { ...facts, ...columns }, to);
    return refusal && new DomainError('FORBIDDEN', explainLeaving(refusal, facts));
  }
  return move.folderId && facts.organizationId === null ? notItsFolder() : null;
}

function destinationFor(
  ownerId: string | null,
  { organizationId }: Move,
  ownersThere: ReadonlySet<string>,
): Destination {
  if (organizationId === null) return 'personal';
  return ownerId !== null && ownersThere.has(ownerId) ? 'seen by its owner' : 'hidden from its owner';
}
