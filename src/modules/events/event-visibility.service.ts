import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { hasScope, type Scope } from '../../contract/scopes.js';
import { isManager } from '../../policy/management.js';
import type { Viewer } from '../../policy/caller.js';
import type { Role } from '../../policy/roles.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import { findRoles, findSeenWhereItWas } from './events.queries.js';
import type { PublishedEvent } from './public/published-event.js';

/** The extent to which a user sees an event: all that they may read now, or only ids and time. */
export type EventView = 'full' | 'ids';

/**
 * Decides who sees an event: everyone who sees the recording now. If it has been deleted, or moved out of their
 * sight, those who could see it when it happened see ids and time; so do those whose API key must not read what it is
 * about.
 */
@Injectable()
export class EventVisibilityService {
  constructor(private readonly access: RecordingAccessService) {}

  /** Returns what a viewer sees of events, by position; without the events that they may not see. */
  async findViews(
    manager: EntityManager,
    viewer: Viewer,
    events: readonly PublishedEvent[],
  ): Promise<ReadonlyMap<string, EventView>> {
    const others = events.filter(({ audience }) => audience !== 'recording');
    const aboutRecordings = events.filter(({ audience }) => audience === 'recording');
    const views = await this.findRecordingViews(manager, viewer, aboutRecordings);
    const organizationIds = unique(others.map(({ organizationId }) => organizationId));
    const roles: ReadonlyMap<string, Role> =
      organizationIds.length > 0 ? await findRoles(manager, viewer.id, organizationIds) : new Map();
    const ofOrganizations = viewOf(viewer, 'organizations:read');
    for (const event of others)
      if (isFor(event, viewer.id, roles))
        views.set(event.position, event.organizationId === null ? 'full' : ofOrganizations);
    return views;
  }

  private async findRecordingViews(
    manager: EntityManager,
    viewer: Viewer,
    events: readonly PublishedEvent[],
  ): Promise<Map<string, EventView>> {
    const views = new Map<string, EventView>();
    if (events.length === 0) return views;
    const ids = unique(events.map(({ recordingId }) => recordingId));
    const visible = await this.access.findVisible(manager, viewer, ids);
    const hidden: string[] = [];
    for (const { position, recordingId } of events) {
      if (visible.has(recordingId ?? '')) views.set(position, viewOf(viewer, 'recordings:read'));
      else hidden.push(position);
    }
    // Where a recording was is not known well enough to decide for a key that is limited to folders.
    if (hidden.length === 0 || viewer.folderIds !== null) return views;
    for (const position of await findSeenWhereItWas(manager, viewer.id, hidden)) views.set(position, 'ids');
    return views;
  }
}

/** What an API key must not read by itself, it does not read in events. */
const viewOf = ({ scopes }: Viewer, scope: Scope): EventView => (hasScope(scopes, scope) ? 'full' : 'ids');

const unique = (ids: readonly (string | null)[]): string[] => [...new Set(ids.flatMap((id) => id ?? []))];

function isFor(event: PublishedEvent, userId: string, roles: ReadonlyMap<string, Role>): boolean {
  if (event.userId === userId) return true;
  const role = roles.get(event.organizationId ?? '');
  // What concerns a person alone is in no organization.
  if (role === undefined) return false;
  return event.audience === 'members' || isManager(role);
}
