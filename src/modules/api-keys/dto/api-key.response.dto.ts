import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  IdProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';

export class ApiKeyFields {
  @IdProperty('Identifier of the key')
  id: string;

  @TextProperty('Display name', { example: 'laptop' })
  name: string;

  @TextProperty('First 12 characters of the key, safe to display', { example: 'mrs_3kTq9ZbW' })
  prefix: string;

  @TimestampProperty('When the key was created')
  created_at: string;

  @TimestampProperty('When the key expires; null if never', { nullable: true, example: null })
  expires_at: string | null;
}

export class CreatedApiKey extends ApiKeyFields {
  @TextProperty('The full key; never returned again', {
    example: 'mrs_3kTq9ZbWm2Xc8RfVn5Ly1Hd6Pj4Gs7Kt0Qa3Ew9Uz2Bi',
  })
  key: string;
}

@ApiSchema({ name: 'ApiKey' })
export class ListedApiKey extends ApiKeyFields {
  @TimestampProperty('When the key was last used, up to a minute late; null if never', { nullable: true })
  last_used_at: string | null;

  @BooleanProperty('Whether the key has been revoked, which is permanent', { example: false })
  is_revoked: boolean;
}
