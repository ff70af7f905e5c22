import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { Pagination, RecordingListItem } from '../../recording-list/dto/listed-recording.response.dto.js';
import { presentPage, type RecordingPage } from '../../recording-list/recording-list.presenter.js';
import { SEARCH_SOURCES, type SearchSource } from '../../search-index/entities/search-entry.entity.js';
import { toHtml } from '../search-snippet.js';
import type { FoundRow, MatchRow } from '../search.repository.js';

export class SearchMatch {
  @EnumProperty({
    values: SEARCH_SOURCES,
    name: 'SearchMatchSource',
    description: 'Where the match was found',
    example: 'transcript',
  })
  source: SearchSource;

  @IntegerProperty({
    description: 'Id of the transcript segment; null for other sources',
    example: 12,
    nullable: true,
  })
  segmentId: number | null;

  @DecimalProperty({
    description:
      'Start of the segment, in seconds from the beginning of the recording; null for other sources',
    example: 31.5,
    nullable: true,
  })
  start: number | null;

  @DecimalProperty({
    description: 'End of the segment, in seconds from the beginning of the recording; null for other sources',
    example: 35.2,
    nullable: true,
  })
  end: number | null;

  @TextProperty({
    description: 'Speaker of the segment; null for other sources',
    example: 'Ada',
    nullable: true,
  })
  speaker: string | null;

  @TextProperty({
    description:
      'The matching passage as HTML. Matches are in `<mark>`, the only element; everything else is escaped',
    example: 'We moved the <mark>budget</mark> to the next quarter.',
  })
  snippet: string;
}

export class SearchResult extends RecordingListItem {
  @DecimalProperty({
    description:
      'How well the recording matches, comparable within this response only: titles weigh most, then summaries, notes and transcripts; rare words and words close together weigh more',
    example: 9.6931,
  })
  score: number;

  @NestedProperty(() => [SearchMatch], {
    description:
      'Matches in the title, summary and notes, followed by the best transcript segments, at most three',
  })
  matches: SearchMatch[];
}

/** `matches` are in the order of `recordings`. */
export interface FoundPage extends RecordingPage {
  readonly matches: readonly Pick<FoundRow, 'score' | 'matches'>[];
}

export function presentFound(page: FoundPage): { data: SearchResult[]; pagination: Pagination } {
  const { data, pagination } = presentPage(page);
  return {
    data: data.map((item, index) => ({
      ...item,
      score: page.matches[index]?.score ?? 0,
      matches: (page.matches[index]?.matches ?? []).map(presentMatch),
    })),
    pagination,
  };
}

function presentMatch({ source, segment, snippet }: MatchRow): SearchMatch {
  return {
    source,
    segmentId: segment?.id ?? null,
    start: segment?.start ?? null,
    end: segment?.end ?? null,
    speaker: segment?.speaker ?? null,
    snippet: toHtml(snippet),
  };
}
