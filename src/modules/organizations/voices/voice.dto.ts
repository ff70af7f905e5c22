import { ApiSchema } from '@nestjs/swagger';
import { present } from '../../../contract/present.js';
import {
  IdProperty,
  IntegerProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import type { VoiceProfile } from './voices.queries.js';

@ApiSchema({ name: 'Voice' })
export class ListedVoice {
  @IdProperty('Identifier of the voice')
  id: string;

  @TextProperty('The name that members have given to the speaker', { example: 'Ada Lovelace' })
  name: string;

  @IntegerProperty('Number of recordings from which it is known', { example: 3 })
  recordings: number;

  @IntegerProperty('Seconds for which it is heard there', { example: 1260 })
  seconds: number;

  @TimestampProperty('When it was first named, as far as it is still known from there')
  created_at: string;

  @TimestampProperty('When it was last named')
  updated_at: string;
}

export const presentVoice = (profile: VoiceProfile): ListedVoice => present(ListedVoice, profile);
