import { SCOPE_NAMES } from '../../../contract/scopes.js';
import { present } from '../../../contract/present.js';
import {
  IdProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { ConnectionRow } from '../connections/connections.service.js';

export class ConnectedClient {
  @TextProperty('`client_id`: a UUID, or the URL of its metadata', {
    example: 'https://assistant.example/client.json',
  })
  id: string;

  @TextProperty('Name, as the client gave it', { example: 'Assistant' })
  name: string;
}

export class Connection {
  @IdProperty('Identifier of the connection')
  id: string;

  @NestedProperty(() => ConnectedClient, 'Who is connected')
  client: ConnectedClient;

  @StringListProperty('What the client may do', { example: SCOPE_NAMES.slice(0, 1) })
  scopes: readonly string[];

  @StringListProperty('Ids of the only organizations that it reaches; null: all, and what belongs to none', {
    example: null,
    nullable: true,
  })
  organizations: readonly string[] | null;

  @TimestampProperty('When it was connected')
  created_at: string;

  @TimestampProperty('When it ends; null: once it is revoked, or not used for a long time', {
    nullable: true,
  })
  expires_at: string | null;

  @TimestampProperty('When it was last used, up to a minute late; null: not yet', { nullable: true })
  last_used_at: string | null;

  @TextProperty('IP address from which it was last used', { example: '203.0.113.7', nullable: true })
  last_used_address: string | null;
}

export const presentConnection = ({
  oauthClient,
  name,
  organizationIds,
  ...row
}: ConnectionRow): Connection =>
  present(Connection, {
    ...row,
    client: { id: oauthClient, name },
    scopes: row.scopes ?? SCOPE_NAMES,
    organizations: organizationIds,
  });
