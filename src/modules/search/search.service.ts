import { Injectable } from '@nestjs/common';
import { DomainError } from '../../contract/domain-error.js';
import type { Parameters } from '../../platform/database/statement.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingListService, type CallerScope } from '../recording-list/recording-list.service.js';
import type { SearchRecordingsDto } from './dto/search-recordings.dto.js';
import type { FoundPage } from './dto/found-recording.response.dto.js';
import { parseSearchQuery } from './search-query.js';
import { SearchRepository } from './search.repository.js';
import type { ReadableScope } from './search.sql.js';

/** Most words and phrases in one query. */
const MOST_UNITS = 20;

@Injectable()
export class SearchService {
  constructor(
    private readonly lists: RecordingListService,
    private readonly repository: SearchRepository,
  ) {}

  /** A page of the recordings that the caller can see and that match where the caller can read them, best first. */
  async search(caller: Caller, query: SearchRecordingsDto): Promise<FoundPage> {
    const parsed = parseSearchQuery(query.q);
    if (parsed.flat().length > MOST_UNITS) {
      throw new DomainError('VALIDATION_ERROR', `q: must have at most ${MOST_UNITS} words and phrases`);
    }
    const { limit, offset } = query;
    const scope = await this.lists.scope(caller, query);
    if (parsed.length === 0 || scope.slices.length === 0) {
      return { recordings: [], matches: [], total: 0, limit, offset };
    }
    const readable = this.readable(caller, scope);
    const visible = (parameters: Parameters): string => this.lists.condition(scope, parameters);
    const { rows, total } = await this.repository.page({ query: parsed, visible, readable, limit, offset });
    return { recordings: this.lists.listed(caller, scope, rows), matches: rows, total, limit, offset };
  }

  /** What the caller can read, per organization and for personal recordings. */
  private readable(caller: Caller, { memberships, slices }: CallerScope): ReadableScope[] {
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
        transcripts: refusals.transcription === null,
        summaries: refusals.summaries === null,
      };
    });
  }
}
