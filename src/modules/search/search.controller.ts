import { Controller, Get, Query } from '@nestjs/common';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingListPagination } from '../recordings/list/public/listed-recording.response.dto.js';
import { DID_YOU_MEAN, SearchResult, presentFound, SearchRecordingsDto } from './dto/search.dto.js';
import { SearchService } from './search.service.js';

@ApiTags('Recordings')
@Controller('recordings')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @Get('search')
  @Endpoint({
    summary: 'Search recordings',
    scope: ['recordings:read', 'transcripts:read'],
    description:
      'Full-text search in the titles, notes, summaries and transcripts of the recordings the caller can see, best match first.\n\n- Words are matched in the language of each transcript.\n- If no recording has all words, words that occur nowhere are replaced by similar ones (`did_you_mean`), and otherwise recordings with at least half of the words are returned (`matched`).\n- Of a locked recording, only the title is searched. Transcripts and summaries are not searched where they are turned off.',
    reply: SearchResult,
    many: true,
    pagination: RecordingListPagination,
    beside: { did_you_mean: DID_YOU_MEAN },
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async searchRecordings(@CurrentCaller() caller: Caller, @Query() query: SearchRecordingsDto) {
    return presentFound(await this.searches.search(caller, query));
  }
}
