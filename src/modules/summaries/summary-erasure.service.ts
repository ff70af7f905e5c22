import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SearchIndexService } from '../search/index/search-index.service.js';
import { Summary } from './entities/summary.entity.js';
import { disownActionItems, forgetRevisions } from './summaries.queries.js';

/** Removes a person from summaries. */
@Injectable()
export class SummaryErasureService {
  constructor(private readonly searchIndex: SearchIndexService) {}

  /**
   * Takes the owner from action items that is one of these, in lower case, and removes earlier revisions, in the
   * transaction of `manager`, which must hold the lock on the recording. Returns how many action items there were.
   */
  async erase(manager: EntityManager, recordingId: string, labels: readonly string[]): Promise<number> {
    const items = await disownActionItems(manager, recordingId, labels);
    await forgetRevisions(manager, recordingId);
    if (items > 0) {
      await manager.increment(Summary, { recordingId }, 'revision', 1);
      await this.searchIndex.refresh(manager, recordingId, { texts: true });
    }
    return items;
  }
}
