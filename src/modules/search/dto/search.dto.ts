import { IntersectionType, PickType } from '@nestjs/swagger';
import { Alongside } from '../../../platform/http/fields/request-field.js';
import { TextParameter } from '../../../platform/http/fields/text-fields.js';
import { CursorParameter } from '../../../contract/cursor-pagination.dto.js';
import { LIMITS } from '../../../contract/limits.js';
import { ListRecordingsDto } from '../../recordings/list/public/list-recordings.dto.js';
import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import {
  RecordingListItem,
  presentPage,
  type RecordingPage,
} from '../../recordings/list/public/listed-recording.response.dto.js';
import { SEARCH_SOURCES, type SearchSource } from '../index/entities/search-entry.entity.js';
import { toHtml } from '../snippets/snippet.js';
import type { FoundRow } from '../found/search-page.js';
import type { MatchRow } from '../snippets/snippets.queries.js';

class SearchTerms {
  @TextParameter(
    `Words that must all occur, in any inflected form, among them the names of speakers; \`EIP-7702\` in any spelling; \`"a phrase"\`; \`budg*\` for a prefix; \`-word\` to exclude a word; \`OR\` between alternatives; or a question such as \`what did Ada say about budgets\`. At most ${LIMITS.searchTerms} words and phrases`,
    { ...LIMITS.searchQuery, trim: true, example: 'winter routes' },
  )
  q: string;

  @TextParameter('Only what speakers with this name said; part of the name is enough', {
    ...LIMITS.speaker,
    min: 1,
    trim: true,
    optional: true,
    example: 'Priya',
  })
  speaker?: string;
}

export class SearchRecordingsDto extends IntersectionType(
  SearchTerms,
  PickType(ListRecordingsDto, [
    'limit',
    'offset',
    'status',
    'date_from',
    'date_to',
    'external_id',
    'metadata',
    'organization_id',
    'folder_id',
  ]),
) {
  @Alongside<SearchRecordingsDto>(({ offset }) =>
    typeof offset === 'number' && offset !== 0 ? 'must not be combined with offset' : null,
  )
  @CursorParameter('`next_cursor` of the previous page, to be sent with the same `q` and filters')
  cursor?: string;
}

class SearchMatch {
  @EnumProperty('Where the match was found', {
    values: SEARCH_SOURCES,
    name: 'SearchMatchSource',
    example: 'transcript',
  })
  source: SearchSource;

  @IntegerProperty('Id of the transcript segment; null for other sources', { example: 12, nullable: true })
  segmentId: number | null;

  @DecimalProperty(
    'Start of the segment, in seconds from the beginning of the recording; null for other sources',
    { example: 31.5, nullable: true },
  )
  start: number | null;

  @DecimalProperty(
    'End of the segment, in seconds from the beginning of the recording; null for other sources',
    { example: 35.2, nullable: true },
  )
  end: number | null;

  @TextProperty('Speaker of the segment; null for other sources', { example: 'Ada', nullable: true })
  speaker: string | null;

  @TextProperty(
    'The matching passage as HTML. Matches are in `<mark>`, the only element; everything else is escaped',
    { example: 'We moved the <mark>budget</mark> to the next quarter.' },
  )
  snippet: string;
}

/** How much of the query a recording has to match. */
const MATCHINGS = ['full', 'partial'] as const;

export class SearchResult extends RecordingListItem {
  @EnumProperty(
    '`full`: the recording has everything that was searched for. `partial`: it has at least half of the words, and is listed if no recording has all of them or, after those that do, if the query is a question',
    { values: MATCHINGS, name: 'SearchMatching', example: 'full' },
  )
  matched: (typeof MATCHINGS)[number];

  @DecimalProperty(
    'How well the recording matches; comparable only within this response: titles weigh most, then summaries, notes and transcripts; rare words and words close together weigh more',
    { example: 9.6931 },
  )
  score: number;

  @NestedProperty(
    () => [SearchMatch],
    'Matches in the title, summary and notes, followed by the best transcript segments, at most three',
  )
  matches: SearchMatch[];
}

export const DID_YOU_MEAN = {
  type: 'string',
  nullable: true,
  description:
    'The query that the results are for, if the one that was sent matches nothing and similar words were searched for instead; otherwise null',
  example: 'winter routes',
} as const;

/** `matches` are in the order of `recordings`. */
export interface FoundPage extends RecordingPage {
  readonly matches: readonly Pick<FoundRow, 'whole' | 'score' | 'matches'>[];
  readonly instead: string | null;
}

export function presentFound(page: FoundPage) {
  const { data, pagination } = presentPage(page);
  return {
    data: data.map((item, index) => ({
      ...item,
      matched: page.matches[index]?.whole ? ('full' as const) : ('partial' as const),
      score: page.matches[index]?.score ?? 0,
      matches: (page.matches[index]?.matches ?? []).map(presentMatch),
    })),
    pagination,
    did_you_mean: page.instead,
  };
}

export function presentMatch({ source, segment, snippet }: MatchRow): SearchMatch {
  return {
    source,
    segmentId: segment?.id ?? null,
    start: segment?.start ?? null,
    end: segment?.end ?? null,
    speaker: segment?.speaker ?? null,
    snippet: toHtml(snippet),
  };
}
