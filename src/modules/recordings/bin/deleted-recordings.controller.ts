import { Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { CursorPagination, replyCursorPage } from '../../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { TargetIdParam } from '../../../contract/id-param.decorator.js';
import { present } from '../../../contract/present.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { DeletedRecording, ListDeletedRecordingsDto } from './deleted-recordings.dto.js';
import { RecordingBinService } from './recording-bin.service.js';

@ApiTags('Recordings')
@Controller('deleted-recordings')
export class DeletedRecordingsController {
  constructor(private readonly bin: RecordingBinService) {}

  @Get()
  @Endpoint({
    summary: 'List deleted recordings',
    // Not with browser tokens: they have been hidden from those who were given these.
    scope: ['recordings:read', 'recordings:delete'],
    description:
      'A page of the deleted recordings that the caller may restore, the last deleted first: personal ones, and in organizations those that they might delete if they were still there.',
    reply: DeletedRecording,
    many: true,
    compressed: true,
    pagination: CursorPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listDeletedRecordings(@CurrentCaller() caller: Caller, @Query() query: ListDeletedRecordingsDto) {
    return replyCursorPage(await this.bin.list(caller, query), (row) => present(DeletedRecording, row));
  }

  @Post(':id/restore')
  @Endpoint({
    summary: 'Restore a deleted recording',
    scope: 'recordings:delete',
    description:
      'Puts it back where it was, with everything: its media URLs and share links work again. If its folder has been deleted, it is in none; if its owner has left the organization, the caller becomes its owner. Allowed even when the subscription of the organization has expired.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'CONFLICT'],
  })
  async restoreRecording(@CurrentCaller() caller: Caller, @TargetIdParam('recording') id: string) {
    return succeed(this.bin.restore(caller, id));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Purge a deleted recording',
    scope: 'recordings:delete',
    description: 'Deletes it for good now, and with it what counts towards the quota. This cannot be undone.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'LEGAL_HOLD', 'CONFLICT'],
  })
  async purgeRecording(@CurrentCaller() caller: Caller, @TargetIdParam('recording') id: string) {
    return succeed(this.bin.purge(caller, id));
  }
}
