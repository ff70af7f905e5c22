import {
  IdProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';

/** What a key is and what it is limited to; never the key itself. */
export class ApiKeyFields {
  @IdProperty('Identifier of the key')
  id: string;

  @TextProperty('Display name', { example: 'laptop' })
  name: string;

  @TextProperty('First 12 characters of the key, safe to display', { example: 'mrs_z13kTq9Z' })
  prefix: string;

  @TimestampProperty('When the key was created')
  created_at: string;

  @TimestampProperty('When the key expires; null if never', { nullable: true, example: null })
  expires_at: string | null;

  @StringListProperty('What the key may do; null: whatever its user may, also what is added later', {
    nullable: true,
    example: ['recordings:read', 'transcripts:read'],
  })
  scopes: readonly string[] | null;

  @StringListProperty('Ids of the organizations that the key reaches; null: all that its user does', {
    nullable: true,
    example: null,
  })
  organizations: readonly string[] | null;

  @StringListProperty('Ids of the folders whose recordings the key reaches; null: all', {
    nullable: true,
    example: null,
  })
  folders: readonly string[] | null;

  @StringListProperty('IP addresses or ranges from which the key can be used; null: all', {
    nullable: true,
    example: null,
  })
  addresses: readonly string[] | null;
}
