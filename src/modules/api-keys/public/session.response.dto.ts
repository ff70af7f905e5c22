import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { present } from '../../../contract/present.js';
import { LIMITS } from '../../../contract/limits.js';
import type { Caller } from '../../../policy/caller.js';
import { WAYS_IN, type WayIn } from '../../../policy/sessions.js';
import type { SessionRow } from '../sessions/sessions.service.js';

/** How somebody signed in. */
export class SessionFields {
  @IdProperty('Identifier of the session')
  id: string;

  @EnumProperty(
    'How its user signed in: with an identity `provider`, a link by `mail`, a `passkey`, a `link` of the host, or an `api_key`',
    { values: WAYS_IN, name: 'WayIn', example: 'provider' },
  )
  way: WayIn;

  @TextProperty('Name of the identity provider; null for other ways', { example: 'acme', nullable: true })
  provider: string | null;

  @TimestampProperty('When it began')
  created_at: string;

  @TimestampProperty(
    `When it ends, unless it is used until then: ${LIMITS.session.idleHours} hours after its last use, ${LIMITS.session.days} days after it began at the latest`,
  )
  expires_at: string;
}

export class Session extends SessionFields {
  @TimestampProperty('When it was last used, up to a minute late')
  last_used_at: string;

  @TextProperty('IP address from which it was last used', { example: '203.0.113.7', nullable: true })
  last_used_address: string | null;

  @TextProperty('Browser, as it names itself', { example: 'Mozilla/5.0', nullable: true })
  client: string | null;

  @BooleanProperty('Whether it is the session of this request', { example: true })
  is_current: boolean;
}

export class CurrentSession extends SessionFields {
  @TextProperty(
    'To be sent in the header `X-CSRF-Token` by pages of the service, with requests that change something',
    { example: 'r3Zk1kz0gq9C8mUe7QYb2W4nVtXo5LhJ6dPsAiRfGcE' },
  )
  csrf_token: string;

  @StringListProperty(
    'Ids of the organizations of the user that the session does not reach, as they demand another way to sign in',
    { example: [] },
  )
  refused_by: readonly string[];
}

export const presentSession =
  ({ apiKey }: Caller) =>
  ({ signedInBy, ...session }: SessionRow): Session =>
    present(Session, { ...session, way: signedInBy, isCurrent: session.id === apiKey.id });
