import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isManager } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';
import { canSee, type Placement } from '../../policy/visibility.js';
import type { PublishedEvent } from '../change-log/change-publishing.service.js';
import { RecordingAccessService } from '../recording-access/recording-access.service.js';
import { PAST, type PastRow } from './past-rights.sql.js';

/** What a user may see of an event: all that they may read now, or only ids and time. */
export type EventView = 'full' | 'ids';

const ROLES =
  'SELECT organization_id, role FROM organization_members WHERE user_id = $1 AND organization_id = ANY ($2)';

/**
 * Who sees an event: whoever sees the recording, as of now. Of what has been deleted, or moved out of their sight, those who could
 * see it when it happened see ids and time.
 */
@Injectable()
export class EventVisibilityService {
  constructor(private readonly access: RecordingAccessService) {}

  /** By position; without the events that the user may not see. */
  async of(
    manager: EntityManager,
    userId: string,
    events: readonly PublishedEvent[],
  ): Promise<ReadonlyMap<string, EventView>> {
    const ofRecordings = events.filter(({ audience }) => audience === 'recording');
    const others = events.filter(({ audience }) => audience !== 'recording');
    const views = await this.ofRecordings(manager, userId, ofRecordings);
    const roles = await this.rolesIn(manager, userId, others);
    for (const event of others) if (isFor(event, userId, roles)) views.set(event.position, 'full');
    return views;
  }

  private async ofRecordings(
    manager: EntityManager,
    userId: string,
    events: readonly PublishedEvent[],
  ): Promise<Map<string, EventView>> {
    const views = new Map<string, EventView>();
    if (events.length === 0) return views;
    const ids = [...new Set(events.flatMap(({ recordingId }) => recordingId ?? []))];
    const visible = await this.access.findVisible(manager, userId, ids);
    const isVisible = ({ recordingId }: PublishedEvent): boolean => visible.has(recordingId ?? '');
    for (const event of events.filter(isVisible)) views.set(event.position, 'full');
    const hidden = events.filter((event) => !isVisible(event));
    for (const event of await this.seenThen(manager, userId, hidden)) views.set(event.position, 'ids');
    return views;
  }

  /** Of recordings that the user does not see: events from before they were deleted or moved, which the user saw then. */
  private async seenThen(
    manager: EntityManager,
    userId: string,
    events: readonly PublishedEvent[],
  ): Promise<readonly PublishedEvent[]> {
    if (events.length === 0) return [];
    const ids = events.map(({ changeId }) => changeId);
    const times = events.map(({ at }) => at);
    const rows: PastRow[] = await manager.query(PAST, [ids, userId, times]);
    const past = new Map(rows.map((row) => [row.changeId, row]));
    return events.filter(({ changeId }) => {
      const then = past.get(changeId);
      return then !== undefined && sawWhatIsGone(userId, then);
    });
  }

  private async rolesIn(
    manager: EntityManager,
    userId: string,
    events: readonly PublishedEvent[],
  ): Promise<ReadonlyMap<string, Role>> {
    const ids = [...new Set(events.flatMap(({ organizationId }) => organizationId ?? []))];
    if (ids.length === 0) return new Map();
    const rows: { organization_id: string; role: Role }[] = await manager.query(ROLES, [userId, ids]);
    return new Map(rows.map(({ organization_id: id, role }) => [id, role]));
  }
}

function isFor(event: PublishedEvent, userId: string, roles: ReadonlyMap<string, Role>): boolean {
  if (event.userId === userId) return true;
  const role = roles.get(event.organizationId ?? '');
  if (role === undefined || event.audience === 'user') return false;
  return event.audience === 'members' || isManager(role);
}

/** Whether they saw the recording where it was then, and it is not there any more. When it moves, it was in two folders. */
function sawWhatIsGone(userId: string, then: PastRow): boolean {
  const membership = then.rights && {
    role: then.rights.role,
    viewAllRecordings: then.rights.view_all_recordings,
    viewFolderRecordings: then.rights.view_folder_recordings,
  };
  const before = {
    id: then.previousFolderId,
    folder: folderOf(then.previousFolderAccess, then.previouslyNamed),
  };
  const after = { id: then.folderId, folder: folderOf(then.folderAccess, then.named) };
  const { ownerId, organizationId, now } = then;
  return (then.isMove ? [before, after] : [after]).some(({ id, folder }) => {
    if (now?.organizationId === organizationId && now.folderId === id) return false;
    return canSee(userId, { ownerId, organizationId, folder }, membership);
  });
}

function folderOf(access: PastRow['folderAccess'], named: boolean): Placement['folder'] {
  return access && { open: access === 'open' || named };
}
