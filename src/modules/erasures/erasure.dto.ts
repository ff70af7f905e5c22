import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../contract/example-ids.js';
import { LIMITS } from '../../contract/limits.js';
import { present } from '../../contract/present.js';
import { asLine, isLine } from '../../lib/text.js';
import { BooleanField, ChoiceField } from '../../platform/http/fields/choice-fields.js';
import { ListField } from '../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../platform/http/fields/number-fields.js';
import { EmailField, IdParameter } from '../../platform/http/fields/text-fields.js';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
  TimestampProperty,
} from '../../platform/openapi/field.decorator.js';
import { ERASED_WORDS, type ErasedWords } from '../transcripts/public/erased-words.js';
import {
  ERASURE_STATUSES,
  type Erasure,
  type ErasureCounts,
  type ErasureStatus,
} from './entities/erasure.entity.js';

const WORDS = { values: ERASED_WORDS, name: 'ErasedWords', example: 'replace' } as const;

const CountsProperty = (description: string): PropertyDecorator =>
  ApiProperty({
    description,
    type: 'object',
    additionalProperties: { type: 'integer', minimum: 0 },
    example: { recordings_deleted: 1, recordings_changed: 3, segments: 41 },
  });

export class CreateErasureDto {
  @EmailField('Email address of the person, who need not be a user', {
    ...LIMITS.email,
    optional: true,
    example: 'grace@acme.test',
  })
  email?: string;

  @IdParameter('The person, if they are or were a member of the organization', {
    optional: true,
    example: EXAMPLE_IDS.member,
  })
  user_id?: string;

  @ListField(
    'How transcripts and action items name the person, ignoring case; by default the display name of the user. Others with the same name are erased, too: see the preview',
    {
      max: LIMITS.erasures.names,
      optional: true,
      isItem: (name) => typeof name === 'string' && isLine(asLine(name), LIMITS.speaker),
      item: `must be a name of at most ${LIMITS.speaker.max} characters`,
      expects: () => `must be a list of at most ${LIMITS.erasures.names} names`,
      read: asLine,
      example: ['Grace Hopper'],
    },
  )
  speaker_names?: string[];

  @ChoiceField(
    'What becomes of their segments: `replace` keeps them without words and name, `remove` leaves none',
    { ...WORDS, default: 'replace', optional: true },
  )
  words: ErasedWords = 'replace';

  @BooleanField('Whether their words become inaudible in the media, too; true by default', {
    optional: true,
    example: true,
  })
  silence_audio: boolean = true;
}

export class RunErasureDto {
  @IntegerField(
    `How many recordings it deletes or changes; needed if these are more than ${LIMITS.erasures.unconfirmed}`,
    { min: 0, optional: true, example: 3 },
  )
  confirm_recordings?: number;
}

@ApiSchema({ name: 'ErasureReview' })
export class PresentedReview {
  @EnumProperty('What has the text', {
    values: ['recording', 'folder', 'glossary'],
    name: 'ErasureResource',
    example: 'recording',
  })
  resource: string;

  @IdProperty('Its identifier; of a glossary, that of the organization')
  id: string;

  @StringListProperty(
    'The texts: `title`, `notes`, `summary`, `action_items`, `transcript` (what others say), `name` or `terms`',
    { example: ['notes'] },
  )
  fields: readonly string[];
}

@ApiSchema({ name: 'ErasureReceipt' })
export class PresentedReceipt {
  @IdProperty('Identifier of the erasure')
  id: string;

  @IdProperty('The organization', { nullable: true })
  organization_id: string | null;

  @TimestampProperty('When it was completed')
  completed_at: string;

  @CountsProperty('What was erased, by kind')
  counts: ErasureCounts;

  @StringListProperty('Ids of the recordings that were deleted or changed', {
    example: ['01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90'],
  })
  recordings: readonly string[];

  @TextProperty(
    'SHA-256, in hexadecimal digits, of the receipt without it, as JSON with sorted names and no white space. The audit log has it, sealed, in `erasure.completed`',
    { example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
  )
  hash: string;
}

@ApiSchema({ name: 'Erasure' })
export class PresentedErasure {
  @IdProperty('Identifier of the erasure')
  id: string;

  @EnumProperty('`previewed`: nothing is erased yet', {
    values: ERASURE_STATUSES,
    name: 'ErasureStatus',
    example: 'previewed',
  })
  status: ErasureStatus;

  @TextProperty('Why it has failed; null otherwise', { example: null, nullable: true })
  status_reason: string | null;

  @TimestampProperty('When it was previewed')
  created_at: string;

  @TextProperty('Email address of the person; null if unknown, and once it is completed', {
    example: 'grace@acme.test',
    nullable: true,
  })
  email: string | null;

  @IdProperty('The user; null if they are none, and once it is completed', { nullable: true })
  user_id: string | null;

  @StringListProperty('How transcripts name the person; none once it is completed', {
    example: ['Grace Hopper'],
  })
  speaker_names: readonly string[];

  @EnumProperty('What becomes of their segments', WORDS)
  words: ErasedWords;

  @BooleanProperty('Whether their words become inaudible', { example: true })
  silence_audio: boolean;

  @CountsProperty('What it erases, by kind, as found by the preview')
  counts: ErasureCounts;

  @NestedProperty(
    () => [PresentedReview],
    `Texts that it leaves as they are, as found by the preview, at most ${LIMITS.erasures.review}: those that say a name or the address, and the summaries of recordings in which the person speaks. Edit them before it is run: then, earlier revisions go`,
  )
  review: PresentedReview[];

  @BooleanProperty('Whether there are more of these texts', { example: false })
  more_to_review: boolean;

  @NestedProperty(() => PresentedReceipt, 'What proves it; null until it is completed', { nullable: true })
  receipt: PresentedReceipt | null;
}

export const presentErasure = ({ preview, names, ...erasure }: Erasure): PresentedErasure =>
  present(PresentedErasure, { ...erasure, ...preview, speakerNames: names });
