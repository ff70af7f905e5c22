import { ChoiceField } from '../../../platform/http/fields/choice-fields.js';
import { mediaType, type FileFormat } from '../../../platform/http/replies/text-file.js';
import { ApiSchema, IntersectionType, PickType } from '@nestjs/swagger';
import { EnumProperty } from '../../../platform/openapi/field.decorator.js';
import { ContentRevisionItem, revisionFields } from '../../pipeline/public/content-revision.response.dto.js';
import {
  SUMMARY_CAUSES,
  type SummaryCause,
  type SummaryRevision,
} from '../entities/summary-revision.entity.js';
import { presentSummaryContent, SummaryResponse, type ReadSummary } from '../public/summary.response.dto.js';
import { present } from '../../../contract/present.js';

const SUMMARY_FORMATS = ['md', 'json'] as const;
export type SummaryFormat = (typeof SUMMARY_FORMATS)[number];

export const SUMMARY_FILES: Readonly<Record<SummaryFormat, FileFormat>> = {
  md: { type: 'text/markdown; charset=utf-8', extension: 'md' },
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
};

export const SUMMARY_MEDIA_TYPES = [mediaType(SUMMARY_FILES.md)];

export class ReadSummaryDto {
  @ChoiceField(
    'Returns the summary as a file; the header `Accept: text/markdown` does the same. `PUT` accepts the `json` file',
    { values: SUMMARY_FORMATS, name: 'SummaryFormat', optional: true, example: 'md' },
  )
  format?: SummaryFormat;
}

@ApiSchema({ name: 'SummaryRevision' })
export class SummaryRevisionItem extends ContentRevisionItem {
  @EnumProperty(
    'What wrote it: `import` (`PUT .../summary`), `generation` (`POST .../summary`, or after a transcription), or `restore` of an earlier revision; null if that is no longer known',
    { values: SUMMARY_CAUSES, name: 'SummaryRevisionCause', example: 'import', nullable: true },
  )
  cause: SummaryCause | null;
}

export class SummaryRevisionContent extends IntersectionType(
  SummaryRevisionItem,
  PickType(SummaryResponse, ['content', 'topics', 'decisions', 'actionItems']),
) {}

export interface WholeSummaryRevision {
  readonly revision: SummaryRevision;
  readonly isCurrent: boolean;
  readonly content: ReadSummary;
}

/** `index`: place in the list. */
export const presentSummaryRevision = (revision: SummaryRevision, index: number): SummaryRevisionItem =>
  present(SummaryRevisionItem, revisionFields(revision, index === 0));

export const presentWholeSummaryRevision = ({
  revision,
  isCurrent,
  content,
}: WholeSummaryRevision): SummaryRevisionContent => ({
  ...present(SummaryRevisionItem, revisionFields(revision, isCurrent)),
  ...presentSummaryContent(content),
});
