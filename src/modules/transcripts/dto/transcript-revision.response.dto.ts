import { ApiSchema } from '@nestjs/swagger';
import {
  BooleanProperty,
  EnumProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import {
  REVISION_CAUSES,
  type RevisionCause,
  type TranscriptRevision,
} from '../entities/transcript-revision.entity.js';

export class RevisionAuthor {
  @IdProperty('Identifier of the user')
  id: string;

  @TextProperty('Name', { example: 'Ada Lovelace' })
  name: string;
}

@ApiSchema({ name: 'TranscriptRevision' })
export class RevisionItem {
  @IntegerProperty(
    'Number of the revision. Numbers increase, with gaps: changes of the status count too, but cannot be restored',
    { example: 4 },
  )
  revision: number;

  @TimestampProperty('When it was written')
  createdAt: string;

  @EnumProperty(
    'What wrote it: `import` of a file, `correction` of a segment, renaming of `speakers`, `transcription`, or `restore` of an earlier revision',
    { values: REVISION_CAUSES, name: 'RevisionCause', example: 'correction' },
  )
  cause: RevisionCause;

  @NestedProperty(
    () => RevisionAuthor,
    'Who wrote it; null for a transcription, and if the user has been deleted',
    { nullable: true },
  )
  createdBy: RevisionAuthor | null;

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @TextProperty('Language code; null if not known', { example: 'en', nullable: true })
  language: string | null;

  @BooleanProperty('Whether this is the current content', { example: true })
  current: boolean;
}

/** `index`: place in the list. */
export function presentRevision(
  { revision, createdAt, cause, creator, segmentsCount, language }: TranscriptRevision,
  index: number,
): RevisionItem {
  return {
    revision,
    createdAt: createdAt.toISOString(),
    cause,
    createdBy: creator ? { id: creator.id, name: creator.name } : null,
    segmentsCount,
    language,
    current: index === 0,
  };
}
