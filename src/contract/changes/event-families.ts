import { CHANGE_CATALOG, CHANGE_TYPES, type ChangeTypeName } from './change-catalog.js';
import type { Audience } from './change-details.js';

export const audienceOf = (type: ChangeTypeName): Audience | null => CHANGE_CATALOG[type].audience;

/** Types that are sent as events and to webhooks. */
export const EVENT_TYPES = CHANGE_TYPES.filter((type) => audienceOf(type) !== null);

/** The resource that an event is about, as the API shows it: its name in `data`. */
export type EventResource = 'recording' | 'organization' | 'member' | 'folder';

/** A part of a recording that an event shows besides it. */
export type EventPart = 'summary' | 'action_item';

/** The column of the change log that has an id. */
export type IdSource = 'recordingId' | 'targetId' | 'userId';

interface EventFamily {
  /** Ids in the `data` of an event, besides `organization_id`. */
  readonly ids: readonly (readonly [name: string, source: IdSource])[];
  readonly resource: EventResource | null;
  readonly part?: EventPart;
}

const OF_RECORDING: EventFamily = {
  ids: [['recording_id', 'recordingId']],
  resource: 'recording',
};

/** The families that differ from the rule of `familyOf`. */
const OTHERS: Readonly<Record<string, EventFamily>> = {
  recording: OF_RECORDING,
  transcript: OF_RECORDING,
  summary: { ...OF_RECORDING, part: 'summary' },
  action_item: {
    ids: [...OF_RECORDING.ids, ['action_item_id', 'targetId']],
    resource: 'recording',
    part: 'action_item',
  },
  organization: { ids: [], resource: 'organization' },
  member: { ids: [['user_id', 'targetId']], resource: 'member' },
  ownership_transfer: { ids: [['user_id', 'userId']], resource: null },
  folder: {
    // Null, unless a member is named or no longer named.
    ids: [
      ['folder_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: 'folder',
  },
  api_key: {
    ids: [
      ['api_key_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: null,
  },
  connection: {
    ids: [
      ['connection_id', 'targetId'],
      ['user_id', 'userId'],
    ],
    resource: null,
  },
  export: {
    ids: [
      ['export_id', 'targetId'],
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

/** What the type of an event starts with. */
export const familyName = (type: string): string => type.slice(0, type.indexOf('.'));

/** Stands for all types of the family of this one: `recording.*`. */
export const familyPattern = (type: string): string => `${familyName(type)}.*`;

export const FAMILY_PATTERNS: readonly string[] = [...new Set(EVENT_TYPES.map(familyPattern))];

/**
 * Returns what the `data` of such an event consists of, besides `organization_id`, `actor` and `changes`: the id of its
 * target, for `share_link.created` a `share_link_id`; if it is for those who see the recording, also the recording and
 * its id.
 */
export function familyOf(type: ChangeTypeName): EventFamily {
  const name = familyName(type);
  const { ids, resource } = audienceOf(type) === 'recording' ? OF_RECORDING : { ids: [], resource: null };
  return OTHERS[name] ?? { ids: [...ids, [`${name}_id`, 'targetId']], resource };
}

/** An event as it is sent: the same for the list, the stream and webhooks. */
export interface EventPayload {
  /** The same for everyone who sees it, and in each way that it is sent: `webhook-id` of webhooks. */
  readonly id: string;
  readonly type: ChangeTypeName;
  /** ISO 8601, when it happened. */
  readonly timestamp: string;
  readonly data: {
    readonly organization_id: string | null;
    /** Null if only the ids may be known. */
    readonly actor: {
      readonly kind: string;
      readonly id: string | null;
      /** The name of the service account that the user is; null for a person. */
      readonly service_account: string | null;
    } | null;
    readonly changes: Readonly<Record<string, unknown>> | null;
    /** The ids and the resource of its family. */
    readonly [name: string]: unknown;
  };
}
