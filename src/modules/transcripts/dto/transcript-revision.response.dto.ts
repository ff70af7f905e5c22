import { ApiSchema } from '@nestjs/swagger';
import { EnumProperty, IntegerProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import { ContentRevisionItem, revisionFields } from '../../pipeline/public/content-revision.response.dto.js';
import {
  REVISION_CAUSES,
  type RevisionCause,
  type TranscriptRevision,
} from '../entities/transcript-revision.entity.js';
import { present } from '../../../contract/present.js';

@ApiSchema({ name: 'TranscriptRevision' })
export class RevisionItem extends ContentRevisionItem {
  @EnumProperty(
    'What wrote it: `import` of a file, `correction` of a segment, renaming of `speakers`, `transcription`, or `restore` of an earlier revision',
    { values: REVISION_CAUSES, name: 'RevisionCause', example: 'correction' },
  )
  cause: RevisionCause;

  @IntegerProperty('Number of segments', { example: 214 })
  segmentsCount: number;

  @TextProperty('Language code; null if not known', { example: 'en', nullable: true })
  language: string | null;
}

/** `index`: place in the list. */
export const presentRevision = (revision: TranscriptRevision, index: number): RevisionItem =>
  present(RevisionItem, revisionFields(revision, index === 0));
