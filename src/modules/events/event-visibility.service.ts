import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isManager } from '../../policy/management.js';
import type { Role } from '../../policy/roles.js';
import type { PublishedEvent } from './publishing/change-publishing.service.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';

/** What a user may see of an event: all that they may read now, or only ids and time. */
export type EventView = 'full' | 'ids';

const ROLES =
  'SELECT organization_id, role FROM organization_members WHERE user_id = $1 AND organization_id = ANY ($2)';

/** Whether the user saw the recording where it was, and it is not there any more. An open folder is seen by the members of now. */
const saw = (viewers: string, folder: string, access: string): string => `
  (r.id, r.organization_id, r.folder_id) IS DISTINCT FROM (c.recording_id, c.organization_id, ${folder}) AND ($2 = ANY (${viewers})
    OR ${access} = 'open' AND EXISTS (
      SELECT FROM organization_members m
      WHERE m.organization_id = c.organization_id AND m.user_id = $2 AND m.view_folder_recordings))`;

/** Of the events `$1`, those whose recording the user `$2` saw then. A move was in two folders. */
const SEEN_WHERE_IT_WAS = `
  SELECT e.position FROM unnest($1::bigint[]) AS hidden (position)
  JOIN events e USING (position)
  JOIN change_log c ON c.at = e.at AND c.id = e.change_id
  LEFT JOIN recordings r ON r.id = e.recording_id
  WHERE ${saw('e.seen_by', 'c.folder_id', 'c.folder_access')}
    OR e.previously_seen_by IS NOT NULL
      AND ${saw('e.previously_seen_by', "(c.details #>> '{before,folder_id}')::uuid", "c.details #>> '{before,folder_access}'")}`;

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
    if (hidden.length === 0) return views;
    const positions = hidden.map(({ position }) => position);
    const seen: { position: string }[] = await manager.query(SEEN_WHERE_IT_WAS, [positions, userId]);
    for (const { position } of seen) views.set(position, 'ids');
    return views;
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
