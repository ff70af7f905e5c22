import { z } from '../../lib/zod.js';
import { CHANGE_CATALOG, type ChangeTypeName } from './change-catalog.js';
import { LIMITS } from '../limits.js';
import { EVENT_TYPES, familyOf, type EventPart, type EventResource } from './event-families.js';
import { EXAMPLE_IDS } from '../example-ids.js';

/** Names of the schemas of what events are about. */
const RESOURCES: Readonly<Record<EventResource, { readonly schema: string; readonly is: string }>> = {
  recording: {
    schema: 'RecordingListItem',
    is: 'recording as in the list; in webhooks without `thumbnailUrl`, and without the name of its `owner`',
  },
  organization: { schema: 'OrganizationDetail', is: 'organization' },
  member: { schema: 'Member', is: 'member' },
  folder: { schema: 'Folder', is: 'folder' },
};

const listOf = (schema: string, description: string) => ({
  type: 'array',
  description,
  maxItems: LIMITS.findingsOfEvent,
  items: { $ref: `#/components/schemas/${schema}` },
});

const PARTS: Readonly<Record<EventPart, { readonly schema: object; readonly is: string }>> = {
  summary: {
    schema: {
      type: 'object',
      required: ['decisions', 'actionItems'],
      properties: {
        decisions: listOf('Decision', 'The first decisions'),
        actionItems: listOf('ActionItem', 'The first action items'),
      },
    },
    is: 'first decisions and action items of the summary',
  },
  action_item: { schema: { $ref: '#/components/schemas/ActionItem' }, is: 'action item' },
};

const OTHER_ID = '019c416a-2000-7a02-8a00-5eed0000a007';

/** Ids of events that are described differently from others. */
const IDS: Readonly<Record<string, { readonly of: string; readonly example: string }>> = {
  recording_id: { of: 'the recording', example: EXAMPLE_IDS.recording },
  share_link_id: { of: 'the share link', example: OTHER_ID },
  user_id: { of: 'the user whom it concerns', example: EXAMPLE_IDS.member },
  folder_id: { of: 'the folder', example: EXAMPLE_IDS.folder },
  invitation_id: { of: 'the invitation', example: OTHER_ID },
  api_key_id: { of: 'the API key', example: OTHER_ID },
  webhook_id: { of: 'the webhook', example: OTHER_ID },
};

const EVENT_IDS = [
  ...new Set([...Object.keys(IDS), ...EVENT_TYPES.flatMap((type) => familyOf(type).ids.map(([id]) => id))]),
];

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

const dataName = (type: ChangeTypeName): string => `${pascalCase(type)}EventData`;
const idName = (id: string): string => `Event${pascalCase(id)}`;
const resourceName = (resource: EventResource | EventPart): string => `Event${pascalCase(resource)}`;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const uuid = (description: string, example: string | null, nullable: boolean) => ({
  type: nullable ? ['string', 'null'] : 'string',
  format: 'uuid',
  description,
  example,
});

const orNull = (schema: object, description: string) => ({ description, anyOf: [schema, { type: 'null' }] });

function idSchema(id: string, nullable: boolean) {
  const { of, example } = IDS[id] ?? {
    of: `the ${id.slice(0, -'_id'.length).replaceAll('_', ' ')}`,
    example: OTHER_ID,
  };
  return uuid(`Id of ${of}`, example, nullable);
}

/** Ids that some events of a family lack. */
const isOptional = (type: ChangeTypeName, id: string): boolean =>
  id === 'user_id' && /^(?:folder|webhook)\./.test(type);

function dataSchema(type: ChangeTypeName): object {
  const { ids, resource, part = null } = familyOf(type);
  const { $schema: _, ...changes } = z.toJSONSchema(CHANGE_CATALOG[type].details);
  const properties = {
    organization_id: reference(idName('organization_id')),
    ...Object.fromEntries(
      ids.map(([id]) => [id, isOptional(type, id) ? idSchema(id, true) : reference(idName(id))]),
    ),
    actor: reference('EventActor'),
    changes: {
      ...orNull(changes, 'What changed; null if only the ids may be known'),
      example: CHANGE_CATALOG[type].example,
    },
    ...(resource === null ? {} : { [resource]: reference(resourceName(resource)) }),
    ...(part === null ? {} : { [part]: reference(resourceName(part)) }),
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

const ACTOR = {
  description: 'Who did it; null if only the ids may be known',
  type: ['object', 'null'],
  required: ['kind', 'id', 'service_account'],
  example: { kind: 'user', id: EXAMPLE_IDS.member, service_account: null },
  properties: {
    kind: {
      type: 'string',
      enum: ['user', 'command_line', 'service', 'recipient', 'anonymous'],
      description:
        '`user`: someone with an API key; `command_line`: the operator; `service`: the service itself, such as a job; `recipient`: of a share link; `anonymous`: someone unknown',
      example: 'user',
    },
    id: uuid('Id of the user; null for all others', EXAMPLE_IDS.member, true),
    service_account: {
      type: ['string', 'null'],
      description: 'Name of the service account that the user is; null for a person, and for all others',
      example: null,
    },
  },
};

/** Schemas of the `data` of each type of event, and of what they refer to. */
export const EVENT_SCHEMAS: Readonly<Record<string, object>> = {
  EventActor: ACTOR,
  [idName('id')]: uuid(
    'Id of the event, as in `GET /events` and in the header `webhook-id`',
    OTHER_ID,
    false,
  ),
  [idName('organization_id')]: uuid(
    'Id of the organization; null for personal recordings, and for people and their API keys',
    EXAMPLE_IDS.organization,
    true,
  ),
  ...Object.fromEntries(EVENT_IDS.map((id) => [idName(id), idSchema(id, false)])),
  ...Object.fromEntries(
    Object.entries(RESOURCES).map(([resource, { schema, is }]) => [
      resourceName(resource as EventResource),
      orNull(reference(schema), `The ${is}, as it is now; null if it is gone or can no longer be seen`),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(PARTS).map(([part, { schema, is }]) => [
      resourceName(part as EventPart),
      orNull(schema, `The ${is}, as it is now; null if there is none, or it can no longer be read`),
    ]),
  ),
  ...Object.fromEntries(EVENT_TYPES.map((type) => [dataName(type), dataSchema(type)])),
};

export const EVENT_DATA_REFERENCES = EVENT_TYPES.map((type) => reference(dataName(type)));

/** Describes what is sent to webhooks for one type of event. */
function webhook(type: ChangeTypeName): object {
  const { when } = CHANGE_CATALOG[type];
  const schema = {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: reference(idName('id')),
      type: { type: 'string', const: type },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When it happened',
        example: '2026-01-31T09:30:00.000Z',
      },
      test: {
        type: 'boolean',
        const: true,
        description: 'Only in a test (`POST /webhooks/{id}/test`): it has not happened',
      },
      data: reference(dataName(type)),
    },
  };
  return {
    post: {
      operationId: type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
      tags: ['Events'],
      // Plain text, which Swagger UI shows beside the type.
      summary: when.replaceAll('`', '').replace(/^./, (letter) => letter.toUpperCase()),
      security: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema } },
      },
      responses: { '2XX': { description: 'Received' }, '4XX': { description: 'Not received' } },
    },
  };
}

/** OpenAPI 3.1 `webhooks`: one per type of event. */
export const EVENT_WEBHOOKS: Readonly<Record<string, object>> = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, webhook(type)]),
);
