import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { DataSource, type Repository } from 'typeorm';
import { DomainError, required } from '../../contract/domain-error.js';
import { LIMITS } from '../../contract/limits.js';
import type { Precondition } from '../../platform/http/replies/revisions.js';
import type { Caller } from '../../policy/caller.js';
import { ContentService } from '../pipeline/content.service.js';
import { newestFirst, readRevisionNumber } from '../pipeline/public/content.js';
import { RecordingAccessService } from '../recordings/access/recording-access.service.js';
import type { WholeSummaryRevision } from './dto/summaries.dto.js';
import { SummaryRevision } from './entities/summary-revision.entity.js';
import { Summary } from './entities/summary.entity.js';
import { SummariesService } from './summaries.service.js';
import { findRevisionContent } from './summaries.queries.js';

const NO_REVISION = `The summary has no such revision. The last ${LIMITS.revisions} are kept.`;

/** The last revisions of summaries, each recorded by the statement that writes a summary. */
@Injectable()
export class SummaryRevisionsService {
  constructor(
    @InjectRepository(SummaryRevision) private readonly revisions: Repository<SummaryRevision>,
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly summaries: SummariesService,
    private readonly dataSource: DataSource,
  ) {}

  /** Newest first; the first one is the current content. */
  async list(caller: Caller, recordingId: string): Promise<SummaryRevision[]> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'summaries');
    return this.revisions.find(newestFirst(row.id));
  }

  /** One revision with its content; 404 `SUMMARY_REVISION_NOT_FOUND`. */
  async get(caller: Caller, recordingId: string, revision: string): Promise<WholeSummaryRevision> {
    const { row } = await this.access.requireFeature(caller, recordingId, 'summaries');
    const number = readRevisionNumber(revision);
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const kept = await manager.getRepository(SummaryRevision).find(newestFirst(row.id));
      const found = kept.find((one) => one.revision === number);
      const content = found && (await findRevisionContent(manager, row.id, number));
      if (!content) throw new DomainError('SUMMARY_REVISION_NOT_FOUND', NO_REVISION);
      return { revision: found, isCurrent: found === kept[0], content };
    });
  }

  /** Makes the content of a revision the current one, as a new revision. A summary being generated is superseded. */
  async restore(
    caller: Caller,
    recordingId: string,
    revision: string,
    precondition: Precondition,
  ): Promise<SummaryRevision> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    const change = { type: Summary, recordingId: row.id, condition: precondition };
    return this.content.queueImport(caller.id, () =>
      this.content.change(caller, change, async (manager) => {
        const found = await findRevisionContent(manager, row.id, readRevisionNumber(revision));
        const earlier = required(found, 'SUMMARY_REVISION_NOT_FOUND', NO_REVISION);
        const origin = { cause: 'restore', userId: caller.id } as const;
        await this.summaries.replace(manager, row.id, earlier, earlier.html, origin);
        return manager.findOneOrFail(SummaryRevision, newestFirst(row.id));
      }),
    );
  }
}
