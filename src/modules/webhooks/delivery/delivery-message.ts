import type { ChangeTypeName } from '../../../contract/change-catalog.js';
import { familyOf, type EventPayload } from '../../../contract/event-families.js';
import type { PublishedEvent } from '../../events/public/published-event.js';
import type { ClaimedRow } from './deliveries.queries.js';

/** The event that a delivery sends; undefined for a test. */
export function toEvent({
  position,
  audience,
  eventId,
  type,
  ...row
}: ClaimedRow): PublishedEvent | undefined {
  if (position === null || audience === null) return undefined;
  return { ...row, position, audience, changeId: eventId, type: type as ChangeTypeName };
}

/** Whether a payload has what its ids stand for. */
export function hasResource({ type, data }: EventPayload): boolean {
  const { resource } = familyOf(type);
  return resource !== null && data[resource] !== null;
}

/** What is sent of a test, and of an event that its reader could see when it happened but no longer may. */
export function idsOnly({ type, at, position, webhookId, organizationId, recordingId }: ClaimedRow): object {
  const data =
    position === null
      ? { webhook_id: webhookId, organization_id: organizationId }
      : { organization_id: organizationId, recording_id: recordingId, actor: null, changes: null };
  return { type, timestamp: at.toISOString(), data };
}
