import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingListService, type CallerScope } from '../recordings/list/recording-list.service.js';
import type { RecordingFilters } from '../recordings/list/public/list-recordings.dto.js';
import type { SearchRecordingsDto } from './dto/search-recordings.dto.js';
import type { FoundPage } from './dto/found-recording.response.dto.js';
import { isQuestion } from './query/question-words.js';
import { parseSearchQuery, questionQuery } from './query/search-query.js';
import { SearchRepository, type RecordingAbout } from './found/search-page.js';
import type { ReadableScope } from './found/found.sql.js';

/** Most words and phrases in one query. */
const MOST_UNITS = 20;

/** A question about many recordings, with the filters of the search. */
export interface AskedAbout extends RecordingFilters {
  readonly question: string;
  readonly speaker?: string;
}

const NOTHING = {
  recordings: [],
  matches: [],
  instead: null,
  total: 0,
} as const;

@Injectable()
export class SearchService {
  constructor(
    private readonly lists: RecordingListService,
    private readonly repository: SearchRepository,
  ) {}

  /** A page of the recordings that the caller can see and that match where the caller can read them, best first. */
  async search(caller: Caller, query: SearchRecordingsDto): Promise<FoundPage> {
    const parsed = parseSearchQuery(query.q);
    if (parsed.flat().filter(({ optional }) => !optional).length > MOST_UNITS) {
      throw new DomainError('VALIDATION_ERROR', `q: must have at most ${MOST_UNITS} words and phrases`);
    }
    const { limit, offset, speaker } = query;
    const scope = await this.lists.scope(caller, query);
    if (parsed.length === 0 || scope.slices.length === 0) {
      return { ...NOTHING, limit, offset };
    }
    const readable = this.readable(caller, scope);
    const visible = this.lists.condition(scope);
    const page = {
      query: parsed,
      asks: isQuestion(query.q),
      speaker,
      visible,
      readable,
      limit,
      offset,
    };
    const { rows, total, instead } = await this.repository.page(page);
    return {
      recordings: this.lists.listed(caller, scope, rows),
      matches: rows,
      instead,
      total,
      limit,
      offset,
    };
  }

  /**
   * The recordings that a question may be about, best first: those whose transcripts the caller may ask about. Empty if none
   * has a word of the question.
   */
  async about(
    caller: Caller,
    { question, speaker, ...filters }: AskedAbout,
    most: number,
  ): Promise<RecordingAbout[]> {
    const query = questionQuery(question, MOST_UNITS);
    const scope = await this.lists.scope(caller, filters);
    if (query.length === 0 || scope.slices.length === 0) return [];
    const readable = this.readable(caller, scope, 'questions');
    const visible = this.lists.condition(scope);
    return this.repository.about({
      query,
      asks: true,
      speaker,
      visible,
      readable,
      limit: most,
      offset: 0,
    });
  }

  /** What the caller can read, per organization and for personal recordings, if they also have a feature for it. */
  private readable(
    caller: Caller,
    { memberships, slices }: CallerScope,
    feature: 'transcription' | 'questions' = 'transcription',
  ): ReadableScope[] {
    const personal = slices.some(({ only }) => only === 'personal');
    const scopes = [
      ...(personal ? [{ id: caller.id, membership: null }] : []),
      ...memberships.map((membership) => ({ id: membership.organization_id, membership })),
    ];
    return scopes.map(({ id, membership }) => {
      const { expired, openFrom, refusals } = this.lists.terms(caller, membership);
      return {
        id,
        openFrom: expired ? 'infinity' : (openFrom?.toISOString() ?? '-infinity'),
        transcripts: refusals.transcription === null && refusals[feature] === null,
        summaries: refusals.summaries === null,
      };
    });
  }
}
