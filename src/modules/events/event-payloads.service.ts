import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CHANGE_CATALOG } from '../../contract/changes/change-catalog.js';
import {
  familyOf,
  type EventPart,
  type EventPayload,
  type EventResource,
} from '../../contract/changes/event-families.js';
import type { Viewer } from '../../policy/caller.js';
import { reachesFolder, reachesWebhooks, reachedChanges } from '../../policy/reach.js';
import type { UrlHolder } from '../media/public/media-urls.js';
import { OrganizationItemsService } from '../organizations/organization-items.service.js';
import { memberKey } from '../organizations/entities/organization-member.entity.js';
import { RecordingListService } from '../recordings/list/recording-list.service.js';
import { findShownActionItems, findShownSummaries } from '../summaries/public/summaries.sql.js';
import { EventVisibilityService, type EventView } from './event-visibility.service.js';
import { findLoggedRows, type LoggedRow } from './events.queries.js';
import type { PublishedEvent } from './public/published-event.js';

/** An event that the user sees, with its row of the log. */
interface SeenEvent {
  readonly event: PublishedEvent;
  readonly view: EventView;
  readonly row: LoggedRow;
}

/** Finds the resource that an event is about, as the API shows it to the user now. */
type Resources = Readonly<Record<EventResource | EventPart, (seen: SeenEvent) => object | undefined>>;

/** Reads events as they are sent: what happened, and what it happened to as the user sees it now. */
@Injectable()
export class EventPayloadsService {
  constructor(
    private readonly visibility: EventVisibilityService,
    private readonly recordings: RecordingListService,
    private readonly organizations: OrganizationItemsService,
  ) {}

  /**
   * Returns the payloads of events by position; without events that the viewer may not see at all. Takes about ten
   * statements, however many events there are. URLs of thumbnails are for the holder of an API key; without a holder
   * there are none, and no names of owners.
   */
  async read(
    manager: EntityManager,
    viewer: Viewer,
    events: readonly PublishedEvent[],
    holder: UrlHolder | null = null,
  ): Promise<Map<string, EventPayload>> {
    const views = await this.visibility.findViews(manager, viewer, events);
    const seen = (await findSeen(manager, events, views)).filter((one) => reachesTarget(viewer, one));
    const resources = await this.readResources(manager, viewer, seen, holder);
    return new Map(seen.map((one) => [one.event.position, present(viewer, one, resources)]));
  }

  private async readResources(
    manager: EntityManager,
    viewer: Viewer,
    seen: readonly SeenEvent[],
    holder: UrlHolder | null,
  ): Promise<Resources> {
    const about = (resource: EventResource): readonly SeenEvent[] =>
      seen.filter(({ event, view }) => view === 'full' && familyOf(event.type).resource === resource);
    const ids = (of: readonly SeenEvent[], id: (one: SeenEvent) => string | null): readonly string[] => [
      ...new Set(of.flatMap((one) => id(one) ?? [])),
    ];
    const recordingIds = ids(about('recording'), recordingOf);
    const recordings = await (recordingIds.length > 0
      ? this.recordings.findItems(manager, viewer, recordingIds, holder)
      : new Map<string, never>());
    const readable = (part: EventPart): readonly SeenEvent[] =>
      about('recording').filter((one) => familyOf(one.event.type).part === part && showsSummary(one));
    const showsSummary = (one: SeenEvent): boolean =>
      recordings.get(recordingOf(one) ?? '')?.access.capabilities.canViewSummary === true;
    const summaries = await findShownSummaries(manager, ids(readable('summary'), recordingOf));
    const actionItems = await findShownActionItems(manager, ids(readable('action_item'), targetOf));
    const organizationIds = ids(about('organization'), organizationOf);
    const organizations = await this.organizations.presentOrganizations(manager, viewer, organizationIds);
    const memberIds = about('member').flatMap((one) => memberOf(one) ?? []);
    const members = await this.organizations.presentMembers(manager, viewer.id, memberIds);
    const folderIds = ids(about('folder'), targetOf);
    const folders = await this.organizations.presentFolders(manager, viewer.id, folderIds);
    return {
      recording: (one) => recordings.get(recordingOf(one) ?? '')?.item,
      summary: (one) => summaries.get(recordingOf(one) ?? ''),
      action_item: (one) => actionItems.get(targetOf(one) ?? ''),
      organization: (one) => organizations.get(organizationOf(one) ?? ''),
      member: (one) => {
        const member = memberOf(one);
        return member && members.get(memberKey(member));
      },
      folder: (one) => folders.get(targetOf(one) ?? ''),
    };
  }
}

async function findSeen(
  manager: EntityManager,
  events: readonly PublishedEvent[],
  views: ReadonlyMap<string, EventView>,
): Promise<readonly SeenEvent[]> {
  const visible = events.filter(({ position }) => views.has(position));
  if (visible.length === 0) return [];
  const rows = await findLoggedRows(manager, visible);
  return visible.flatMap((event) => {
    const row = rows.get(event.changeId) ?? exampleRow(event);
    const view = views.get(event.position);
    return row && view ? [{ event, view, row }] : [];
  });
}

/** What the log would have of an example: the changes are those of the documentation. */
function exampleRow({ targetId, ...event }: PublishedEvent): LoggedRow | undefined {
  if (targetId === undefined) return undefined;
  const details = CHANGE_CATALOG[event.type].example as LoggedRow['details'];
  return { ...event, targetId, details, actorKind: 'service', actorId: null, serviceAccount: null };
}

/** Whether an API key reaches the folder or the webhook that an event is about. */
function reachesTarget(viewer: Viewer, one: SeenEvent): boolean {
  const { type, organizationId } = one.event;
  if (type.startsWith('webhook.')) return reachesWebhooks(viewer, organizationId);
  return familyOf(type).resource !== 'folder' || reachesFolder(viewer, targetOf(one));
}

const recordingOf = ({ event }: SeenEvent): string | null => event.recordingId;
const organizationOf = ({ event }: SeenEvent): string | null => event.organizationId;
const targetOf = ({ row }: SeenEvent): string | null => row.targetId;

function memberOf({ event, row }: SeenEvent) {
  const { organizationId } = event;
  const { targetId: userId } = row;
  return organizationId === null || userId === null ? undefined : { organizationId, userId };
}

function present(viewer: Viewer, seen: SeenEvent, resources: Resources): EventPayload {
  const { event, row } = seen;
  const { ids, resource, part } = familyOf(event.type);
  const shown = resource === null ? undefined : resources[resource](seen);
  // A recording that has gone out of sight since it was decided what the user sees of the event.
  const isFull = seen.view === 'full' && (resource !== 'recording' || shown !== undefined);
  return {
    id: event.changeId,
    type: event.type,
    timestamp: event.at.toISOString(),
    data: {
      organization_id: event.organizationId,
      ...Object.fromEntries(ids.map(([name, source]) => [name, row[source]])),
      actor: isFull ? { kind: row.actorKind, id: row.actorId, service_account: row.serviceAccount } : null,
      changes: isFull ? reachedChanges(viewer, event.organizationId, row.details) : null,
      ...(resource === null ? {} : { [resource]: isFull ? (shown ?? null) : null }),
      ...(part && { [part]: isFull ? (resources[part](seen) ?? null) : null }),
    },
  };
}
