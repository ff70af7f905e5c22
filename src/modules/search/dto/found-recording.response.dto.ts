import {
  DecimalProperty,
  EnumProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
} from '../../../platform/openapi/field.decorator.js';
import { Pagination, ListedRecording } from '../../recording-list/dto/listed-recording.response.dto.js';
import { presentPage, type RecordingPage } from '../../recording-list/recording-list.presenter.js';
import { SEARCH_SOURCES, type SearchSource } from '../../search-index/entities/search-entry.entity.js';
import { toHtml } from '../search-snippet.js';
import type { FoundRow, MatchRow } from '../search.repository.js';

export class SearchMatch {
  @EnumProperty({
    values: SEARCH_SOURCES,
    name: 'SearchSource',
    description: 'Where the words are',
    example: 'transcript',
  })
  source: SearchSource;

  @IntegerProperty({
    description: 'Id of the segment of the transcript; null for other sources',
    example: 12,
    nullable: true,
  })
  segmentId: number | null;

  @DecimalProperty({
    description: 'Seconds from the start of the recording; null where not of a transcript',
    example: 31.5,
    nullable: true,
  })
  start: number | null;

  @DecimalProperty({
    description: 'Seconds from the start of the recording; null where not of a transcript',
    example: 35.2,
    nullable: true,
  })
  end: number | null;

  @TextProperty({
    description: 'Who says it; null where not of a transcript',
    example: 'Ada',
    nullable: true,
  })
  speaker: string | null;

  @TextProperty({
    description:
      'The passage, as HTML: what was found stands in `<mark>`, which is the only element; everything else is escaped',
    example: 'We moved the <mark>budget</mark> to the next quarter.',
  })
  snippet: string;
}

export class FoundRecording extends ListedRecording {
  @DecimalProperty({
    description:
      'How well it matches, within this reply: titles weigh most, then summaries, notes and transcripts; rare words and words near each other weigh more',
    example: 9.6931,
  })
  score: number;

  @NestedProperty(() => [SearchMatch], {
    description: 'What matched, of title, summary and notes first, then the three best segments at most',
  })
  matches: SearchMatch[];
}

/** `matches` in the order of `recordings`. */
export interface FoundPage extends RecordingPage {
  readonly matches: readonly Pick<FoundRow, 'score' | 'matches'>[];
}

export function presentFound(page: FoundPage): { data: FoundRecording[]; pagination: Pagination } {
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
