import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { transactionBy } from '../../../platform/database/transaction-by.js';
import { cursorPage, readCursor, type CursorPage } from '../../../platform/http/replies/cursor.js';
import { isUuid } from '../../../platform/ids.js';
import { changedBy, type Caller } from '../../../policy/caller.js';
import { ContentService } from '../../pipeline/content.service.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { RecordingListService } from '../../recordings/list/recording-list.service.js';
import { SearchIndexService } from '../../search/index/search-index.service.js';
import { ActionItem } from '../entities/action-item.entity.js';
import { Summary } from '../entities/summary.entity.js';
import { findActionItems, findDueDates, type ListedActionItem } from './action-items.queries.js';
import type { ListActionItemsDto, UpdateActionItemDto } from './action-items.dto.js';

/** Action items of summaries: across recordings, and as people change them. */
@Injectable()
export class ActionItemsService {
  constructor(
    private readonly lists: RecordingListService,
    private readonly access: RecordingAccessService,
    private readonly content: ContentService,
    private readonly searchIndex: SearchIndexService,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** A page of the action items of all recordings whose summaries the caller can read, of the newest ones first. */
  async list(caller: Caller, query: ListActionItemsDto): Promise<CursorPage<ListedActionItem>> {
    const { limit, cursor, done, owner } = query;
    const after = readCursor(cursor);
    const scope = await this.lists.scope(caller, query);
    const slices = this.lists.openSlices(caller, scope, 'canViewSummary');
    const wanted = { slices, done, owner, after, limit: limit + 1 };
    const found = slices.length > 0 ? await findActionItems(this.dataSource.manager, wanted) : [];
    return cursorPage(found, limit, ({ id, recordingCreatedAt: createdAt }) => ({ id, createdAt }));
  }

  /** Changes an action item, which later summaries then leave as it is. 404 `ACTION_ITEM_NOT_FOUND`. */
  async update(
    caller: Caller,
    recordingId: string,
    id: string,
    changes: UpdateActionItemDto,
  ): Promise<ActionItem> {
    const { row } = await this.access.requireFeatureEdit(caller, recordingId, 'summaries');
    return transactionBy(this.dataSource, changedBy(caller), async (manager) => {
      await this.content.lock(manager, row.id);
      const items = manager.getRepository(ActionItem);
      const item = isUuid(id) && (await items.findOneBy({ id, recordingId: row.id }));
      if (!item) throw new DomainError('ACTION_ITEM_NOT_FOUND');
      const { due, dueDate = due === undefined ? undefined : (await findDueDates(manager, row.id))(due) } =
        changes;
      const byPerson = { dueDate, confidence: null, changedAt: this.clock.now() };
      const changed = await items.save(items.merge(item, changes, byPerson));
      await manager.increment(Summary, { recordingId: row.id }, 'revision', 1);
      await this.searchIndex.refresh(manager, row.id, { texts: true });
      return changed;
    });
  }
}
