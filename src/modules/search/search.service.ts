import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { reading } from '../../platform/database/servers/replica.js';
import { invalid } from '../../contract/domain-error.js';
import { isPermitted, type Capability } from '../../policy/capabilities.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingListService } from '../recordings/list/recording-list.service.js';
import type { CallerScope } from '../recordings/list/public/open-slices.sql.js';
import type { RecordingFilters } from '../recordings/list/public/list-recordings.dto.js';
import type { SearchRecordingsDto, FoundPage } from './dto/search.dto.js';
import { isQuestion, parseSearchQuery, questionQuery } from './query/search-query.js';
import { searchAbout, searchPage, type RecordingAbout } from './found/search-page.js';
import type { ReadableScope } from './found/found.sql.js';
import { LIMITS } from '../../contract/limits.js';
import { readOffsetCursor, writeOffsetCursor } from '../../platform/http/replies/cursor.js';

/** A question about many recordings, with the filters of the search. */
export interface AskedAbout extends RecordingFilters {
  readonly question: string;
  readonly speaker?: string;
}

@Injectable()
export class SearchService {
  constructor(
    private readonly lists: RecordingListService,
    private readonly dataSource: DataSource,
  ) {}

  /** A page of the recordings that the caller can see and that match where the caller can read them, best first. */
  async search(caller: Caller, query: SearchRecordingsDto): Promise<FoundPage> {
    const parsed = parseSearchQuery(query.q);
    if (parsed.flat().filter(({ optional }) => !optional).length > LIMITS.searchTerms) {
      throw invalid(`q: must have at most ${LIMITS.searchTerms} words and phrases`);
    }
    const { limit, speaker } = query;
    const offset = query.cursor === undefined ? query.offset : readOffsetCursor(query.cursor);
    const scope = await this.lists.scope(caller, query);
    if (parsed.length === 0 || scope.slices.length === 0) {
      return { recordings: [], matches: [], instead: null, total: 0, limit, offset, nextCursor: null };
    }
    const readable = this.readable(caller, scope);
    const visible = this.lists.condition(scope);
    const asks = isQuestion(query.q);
    const page = { query: parsed, asks, speaker, visible, readable, limit, offset };
    const { rows, total, instead } = await this.snapshot((manager) => searchPage(manager, page));
    return {
      recordings: await this.lists.listed(caller, scope, rows),
      matches: rows,
      instead,
      total,
      limit,
      offset,
      nextCursor: offset + rows.length < total ? writeOffsetCursor(offset + rows.length) : null,
    };
  }

  /**
   * The recordings that a question may be about, best first: those whose transcripts the caller may ask about. Empty if
   * none has a word of the question. `withheld` if a plan or feature flag keeps others out.
   */
  async about(
    caller: Caller,
    { question, speaker, ...filters }: AskedAbout,
    limit: number,
  ): Promise<{ recordings: RecordingAbout[]; withheld: boolean }> {
    const query = questionQuery(question, LIMITS.searchTerms);
    const scope = await this.lists.scope(caller, filters);
    const readable = this.readable(caller, scope, 'canAskQuestions');
    const withheld = readable.some(({ transcripts, openFrom }) => !transcripts || openFrom === 'infinity');
    if (query.length === 0 || scope.slices.length === 0) return { recordings: [], withheld };
    const visible = this.lists.condition(scope);
    const search = { query, asks: true, speaker, visible, readable, limit, offset: 0 };
    const recordings = await this.snapshot((manager) => searchAbout(manager, search));
    return { recordings, withheld };
  }

  /** What a search reads fits together. */
  private snapshot<T>(search: (manager: EntityManager) => Promise<T>): Promise<T> {
    return reading(this.dataSource, (source) => source.transaction('REPEATABLE READ', search));
  }

  /** What the caller can read, per organization and for personal recordings, or use transcripts for. */
  private readable(
    caller: Caller,
    scope: CallerScope,
    use: Extract<Capability, 'canViewTranscription' | 'canAskQuestions'> = 'canViewTranscription',
  ): ReadableScope[] {
    return this.lists.openScopes(caller, scope).map(({ id, openFrom, terms }) => ({
      id,
      openFrom,
      transcripts: isPermitted(use, terms),
      summaries: isPermitted('canViewSummary', terms),
    }));
  }
}
