import type { ChangeTypeName, EventTypeName } from './change-catalog.js';

/** What the type of an event starts with. */
type EventFamilyName<Type = EventTypeName> = Type extends `${infer Name}.${string}` ? Name : never;

/** Ids in the `data` of an event, besides `organization_id`. */
export type EventId =
  'recording_id' | 'share_link_id' | 'user_id' | 'folder_id' | 'invitation_id' | 'api_key_id' | 'webhook_id';

/** What an event is about, as the API shows it: the name in `data`. */
export type EventResource = 'recording' | 'organization' | 'member' | 'folder';

/** Where an id is in the change log. */
export type IdSource = 'recordingId' | 'targetId' | 'userId';

interface EventFamily {
  readonly ids: readonly (readonly [name: EventId, source: IdSource])[];
  readonly resource: EventResource | null;
}

const OF_RECORDING: EventFamily = {
  ids: [['recording_id', 'recordingId']],
  resource: 'recording',
};

/** What the `data` of each family of events consists of, besides `organization_id`, `actor` and `changes`. */
export const EVENT_FAMILIES: Readonly<Record<EventFamilyName, EventFamily>> = {
  recording: OF_RECORDING,
  transcript: OF_RECORDING,
  summary: OF_RECORDING,
  share_link: {
    ids: [
      ['recording_id', 'recordingId'],
      ['share_link_id', 'targetId'],
    ],
    resource: 'recording',
  },
  organization: { ids: [], resource: 'organization' },
  member: { ids: [['user_id', 'targetId']], resource: 'member' },
  invitation: { ids: [['invitation_id', 'targetId']], resource: null },
  ownership_transfer: { ids: [['user_id', 'userId']], resource: null },
  folder: {
    // Null, unless a member is named or no longer named.
    ids: [
      ['folder_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: 'folder',
  },
  user: { ids: [['user_id', 'targetId']], resource: null },
  api_key: {
    ids: [
      ['api_key_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: null,
  },
  webhook: {
    // Of an organization, there is no user.
    ids: [
      ['webhook_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: null,
  },
};

export const familyOf = (type: ChangeTypeName): EventFamily =>
  EVENT_FAMILIES[type.slice(0, type.indexOf('.')) as EventFamilyName];

/** An event as it is sent: the same for the list, the stream and webhooks. */
export interface EventPayload {
  readonly type: ChangeTypeName;
  /** ISO 8601, when it happened. */
  readonly timestamp: string;
  readonly data: {
    readonly organization_id: string | null;
    /** Null if only the ids may be known. */
    readonly actor: { readonly kind: string; readonly id: string | null } | null;
    readonly changes: Readonly<Record<string, unknown>> | null;
    /** The ids and the resource of its family. */
    readonly [name: string]: unknown;
  };
}
