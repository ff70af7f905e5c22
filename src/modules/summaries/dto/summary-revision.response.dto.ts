import { ApiSchema } from '@nestjs/swagger';
import { EnumProperty, NestedProperty, TextProperty } from '../../../platform/openapi/field.decorator.js';
import { ContentRevisionItem, revisionFields } from '../../pipeline/public/content-revision.response.dto.js';
import {
  SUMMARY_CAUSES,
  type SummaryCause,
  type SummaryRevision,
} from '../entities/summary-revision.entity.js';
import {
  ActionItem,
  Decision,
  presentSummaryContent,
  Topic,
  type ReadSummary,
} from '../public/summary.response.dto.js';
import { present } from '../../../contract/present.js';

@ApiSchema({ name: 'SummaryRevision' })
export class SummaryRevisionItem extends ContentRevisionItem {
  @EnumProperty(
    'What wrote it: `import` (`PUT .../summary`), `generation` (`POST .../summary`, or after a transcription), or `restore` of an earlier revision; null if that is no longer known',
    { values: SUMMARY_CAUSES, name: 'SummaryRevisionCause', example: 'import', nullable: true },
  )
  cause: SummaryCause | null;
}

export class SummaryRevisionContent extends SummaryRevisionItem {
  @TextProperty('The summary in Markdown; null if it has none', {
    example: '## Decisions\n\n- Launch on 12 March',
    nullable: true,
  })
  content: string | null;

  @NestedProperty(() => [Topic], 'Topics with their key points')
  topics: Topic[];

  @NestedProperty(() => [Decision], 'What was decided')
  decisions: Decision[];

  @NestedProperty(() => [ActionItem], 'What people are to do; of an earlier revision, as it was then')
  actionItems: ActionItem[];
}

/** One revision with its content. */
export interface WholeSummaryRevision {
  readonly revision: SummaryRevision;
  readonly isCurrent: boolean;
  readonly content: ReadSummary;
}

/** `index`: place in the list. */
export const presentSummaryRevision = (revision: SummaryRevision, index: number): SummaryRevisionItem =>
  present(SummaryRevisionItem, revisionFields(revision, index === 0));

export function presentWholeSummaryRevision({
  revision,
  isCurrent,
  content,
}: WholeSummaryRevision): SummaryRevisionContent {
  return {
    ...present(SummaryRevisionItem, revisionFields(revision, isCurrent)),
    ...presentSummaryContent(content),
  };
}
