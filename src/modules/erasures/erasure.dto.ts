import { ApiSchema } from '@nestjs/swagger';
import { EXAMPLE_IDS } from '../../contract/example-ids.js';
import { LIMITS } from '../../contract/limits.js';
import { present } from '../../contract/present.js';
import { asLine, isLine } from '../../lib/text.js';
import { ListField } from '../../platform/http/fields/list-fields.js';
import { IntegerField } from '../../platform/http/fields/number-fields.js';
import { EmailField, IdParameter } from '../../platform/http/fields/text-fields.js';
import {
  EnumProperty,
  IdProperty,
  NestedProperty,
  StringListProperty,
  TextProperty,
} from '../../platform/openapi/field.decorator.js';
import { ERASURE_LIMITS } from './erasure-limits.js';
import { ERASURE_STATUSES, type Erasure, type ErasureStatus } from './entities/erasure.entity.js';
import {
  CountsProperty,
  type ErasureCounts,
  ErasureReceipt,
  ErasureReview,
} from './erasure-receipt.response.dto.js';

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
      max: ERASURE_LIMITS.names,
      optional: true,
      isItem: (name) => typeof name === 'string' && isLine(asLine(name), LIMITS.speaker),
      item: `must be a name of at most ${LIMITS.speaker.max} characters`,
      expects: () => `must be a list of at most ${ERASURE_LIMITS.names} names`,
      read: asLine,
      example: ['Grace Hopper'],
    },
  )
  speaker_names?: string[];
}

export const ERASURE_BODIES = {
  guest: {
    summary: 'Somebody who was invited, or spoke',
    value: { email: 'grace@acme.test', speaker_names: ['Grace Hopper'] },
  },
};

export class RunErasureDto {
  @IntegerField(
    `How many recordings it deletes or changes; needed if these are more than ${ERASURE_LIMITS.unconfirmed}`,
    { min: 0, optional: true, example: 3 },
  )
  confirm_recordings?: number;
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

  @CountsProperty('What it erases, by kind, as found by the preview')
  counts: ErasureCounts;

  @NestedProperty(
    () => [ErasureReview],
    `The first ${ERASURE_LIMITS.review} recordings with texts that it leaves as they are, as found by the preview: those that say a name or the address, and the summaries of recordings in which the person speaks. Edit them before it is run: then, earlier revisions go`,
  )
  review: readonly ErasureReview[];

  @NestedProperty(() => ErasureReceipt, 'What proves it; null until it is completed', { nullable: true })
  receipt: ErasureReceipt | null;
}

export const presentErasure = ({ preview, names, ...erasure }: Erasure): PresentedErasure =>
  present(PresentedErasure, { ...erasure, ...preview, speakerNames: names });
