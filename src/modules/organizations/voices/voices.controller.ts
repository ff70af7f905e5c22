import { Controller, Delete, Get, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { ListByNameDto, replyPage } from '../dto/name-list.dto.js';
import { ListedVoice, presentVoice } from './voice.dto.js';
import { VoicesService } from './voices.service.js';

@ApiTags('Organizations')
@Controller('organizations/:id/voices')
export class VoicesController {
  constructor(private readonly voices: VoicesService) {}

  @Get()
  @Endpoint({
    summary: 'List voices',
    scope: 'organizations:read',
    description:
      '`OWNER` and `ADMIN` only. Whose voices are remembered, because the organization has turned on `remember_voices` and members have named speakers; sorted by name. With `limit` or `cursor`, the list is paginated and the response includes `pagination`.',
    reply: ListedVoice,
    compressed: true,
    many: true,
    optionalPagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listVoices(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() query: ListByNameDto,
  ) {
    return replyPage(await this.voices.list(caller, id, query), presentVoice);
  }

  @Delete(':voiceId')
  @Endpoint({
    summary: 'Delete a voice',
    scope: 'organizations:manage',
    description:
      '`OWNER` and `ADMIN` only. The name is no longer suggested, also where it has been. Transcripts keep it; naming a speaker of a later transcription remembers the voice again.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
  })
  async deleteVoice(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('voice', 'voiceId') voiceId: string,
  ) {
    return succeed(this.voices.delete(caller, id, voiceId));
  }
}
