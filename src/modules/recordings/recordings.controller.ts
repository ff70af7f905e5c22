import { Body, Controller, Delete, Get, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import type { Request } from 'express';
import { IfMatch, Precondition } from '../../platform/http/replies/revisions.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { FILE_FORM } from '../../platform/http/bodies/one-file-form.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CREATE_RECORDING_BODIES,
  CreatedRecording,
  CreateRecordingDto,
  presentCreated,
} from './public/create-recording.dto.js';
import {
  OPEN_UPLOAD_BODIES,
  OpenedUploadResponse,
  OpenUploadDto,
  presentOpened,
} from './dto/open-upload.dto.js';
import { ListRecordingsDto } from './list/public/list-recordings.dto.js';
import { presentDetail, RecordingDetail } from './public/recording-detail.response.dto.js';
import {
  RecordingListItem,
  RecordingListPagination,
  presentPage,
} from './list/public/listed-recording.response.dto.js';
import { UPDATE_RECORDING_BODIES, UpdateRecordingDto } from './dto/update-recording.dto.js';
import { RecordingListService } from './list/recording-list.service.js';
import { RecordingMovesService } from './moves/recording-moves.service.js';
import {
  BULK_RECORDINGS_BODIES,
  BulkRecordingsDto,
  BulkRecordingsResponse,
  presentBulk,
} from './dto/bulk-recordings.dto.js';
import { RecordingsService } from './recordings.service.js';
import { LIMITS } from '../../contract/limits.js';
import { countText } from '../../lib/amounts.js';

@ApiTags('Recordings')
@Controller('recordings')
export class RecordingsController {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly lists: RecordingListService,
    private readonly moves: RecordingMovesService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List recordings',
    scope: 'recordings:read',
    description:
      'A page of the recordings the caller can see, both personal and of organizations, newest first. Page by `offset`, or by `cursor`, which is fast at any depth.',
    reply: RecordingListItem,
    many: true,
    pagination: RecordingListPagination,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async listRecordings(@CurrentCaller() caller: Caller, @Query() query: ListRecordingsDto) {
    return presentPage(await this.lists.list(caller, query));
  }

  @Post()
  @ApiBody({ type: CreateRecordingDto, examples: CREATE_RECORDING_BODIES })
  @Endpoint({
    summary: 'Create a recording',
    scope: 'recordings:write',
    description:
      'Creates a recording in status `UPLOADING` and returns its `upload_url`.\n\n- `upload_url` implements [tus 1.0](https://tus.io): resumable, and usable while the meeting is still running.\n- To upload a complete file in one request, use `PUT /recordings/{id}/media`.\n- With `source_url`, the service fetches the file itself: nothing can be uploaded, and `upload_url` is null.\n- With `media` `none`, the recording is `COMPLETED` at once, ready for a transcript or a summary.\n- In an organization, requires the role `EDITOR` or higher.',
    status: 201,
    location: '/recordings/{id}',
    costly: true,
    reply: CreatedRecording,
    etag: 'partial',
    errors: [
      'ORGANIZATION_NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
      'QUOTA_EXCEEDED',
      'CONFLICT',
      // Created, but the caller lost access before the reply was read.
      'RECORDING_NOT_FOUND',
    ],
  })
  async createRecording(@CurrentCaller() caller: Caller, @Body() body: CreateRecordingDto) {
    return reply(presentCreated(...(await this.recordings.create(caller, body))));
  }

  @Post('bulk')
  @ApiBody({ type: BulkRecordingsDto, examples: BULK_RECORDINGS_BODIES })
  @Endpoint({
    summary: 'Move or delete many recordings',
    scope: 'recordings:write',
    description: `Moves or deletes up to ${countText(LIMITS.bulk)} recordings in one transaction, with the same permission checks as \`PATCH\` and \`DELETE\`. \`mode\` selects all-or-nothing or a separate result for each. An invalid destination fails the whole request. The owner of recordings that someone else moves to another organization is notified by one email if a mail server is configured.`,
    costly: true,
    reply: BulkRecordingsResponse,
    errors: [...RECORDING_REFUSALS, 'ORGANIZATION_NOT_FOUND', 'QUOTA_EXCEEDED', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async changeRecordings(@CurrentCaller() caller: Caller, @Body() body: BulkRecordingsDto) {
    return reply(presentBulk(await this.moves.run(caller, body)));
  }

  @Post(':id/upload')
  @ApiBody({ type: OpenUploadDto, examples: OPEN_UPLOAD_BODIES })
  @Endpoint({
    summary: 'Add or replace media',
    scope: 'recordings:write',
    description:
      'Returns the `upload_url` for new media of an existing recording; with `source_url`, the service fetches the file itself.\n\n- Until the new media is packaged, the recording keeps its status, its media and everything else; then it switches in one step. `newMedia` shows the progress.\n- A file that cannot be used changes nothing.\n- If `transcribe` is true, a transcript that the service wrote and nobody corrected is replaced by one of the new media; others are kept.\n- Until the switch, the media of both counts towards the quota.\n- With `direct`, the client stores the file in S3 itself: `PUT` each part to its URL, with its `headers`, then `POST /recordings/{id}/upload/complete`. Ask again for further parts, and for URLs that have expired. Also works for the upload of a new recording. 409 if the files of the service are encrypted or not in S3.',
    status: 201,
    location: '/recordings/:id',
    costly: true,
    reply: OpenedUploadResponse,
    shows: {
      as: 'OpenedUpload',
      scope: 'recordings:read',
      always: ['id', 'status', 'upload_url', 'upload_parts'],
    },
    etag: 'partial',
    errors: [...RECORDING_REFUSALS, 'QUOTA_EXCEEDED', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async openUpload(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Body() body: OpenUploadDto,
  ) {
    return reply(presentOpened(...(await this.recordings.openUpload(caller, id, body))));
  }

  @Post(':id/upload/complete')
  @Endpoint({
    summary: 'Complete a direct upload',
    scope: 'recordings:write',
    description:
      'Closes an upload whose parts the client has stored in S3, and starts the processing, as the last byte does otherwise. 409 names the parts that are not stored; the upload then stays open. Also 409 when it has been completed already.',
    reply: RecordingDetail,
    shows: { as: 'UploadedRecording', scope: 'recordings:read', always: ['id', 'status'] },
    etag: 'partial',
    errors: ['RECORDING_NOT_FOUND', 'CONFLICT', 'UNSUPPORTED_MEDIA_TYPE'],
  })
  async completeUpload(@CurrentCaller() caller: Caller, @TargetIdParam('recording') id: string) {
    return reply(presentDetail(...(await this.recordings.completeUpload(caller, id))));
  }

  @Put(':id/media')
  @Endpoint({
    summary: 'Upload a file',
    scope: 'recordings:write',
    description:
      'Uploads a complete file, as the body (`curl -T`) or as the only part of a form (`curl -X PUT -F file=@meeting.mp4`), replaces what the open upload has received and closes it. The media type is detected from the content. Parts of a file (`Content-Range`) are refused; send them with tus. Once the subscription of the organization has ended, the reply withholds what it withholds of a locked recording.',
    reply: RecordingDetail,
    shows: { as: 'UploadedRecording', scope: 'recordings:read', always: ['id', 'status'] },
    etag: 'partial',
    stream: true,
    takes: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } }, ...FILE_FORM },
    errors: ['RECORDING_NOT_FOUND', 'QUOTA_EXCEEDED', 'CONFLICT', 'LEGAL_HOLD', 'NOT_FOUND'],
  })
  async uploadMedia(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Req() request: Request,
  ) {
    return reply(presentDetail(...(await this.recordings.upload(caller, id, request))));
  }

  @Get(':id')
  @Endpoint({
    summary: 'Get a recording',
    scope: 'recordings:read',
    description:
      "The recording with its media URLs, transcription and summary. `isLocked`, `downloadUrl` and `capabilities` depend on the organization's plan and the member's feature flags; for a personal recording, on its owner's plan. The `ETag` is the `revision`; because the media URLs and more change without it, `If-None-Match` is ignored.",
    reply: RecordingDetail,
    etag: 'partial',
    errors: ['RECORDING_NOT_FOUND', 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
  })
  async getRecording(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply(presentDetail(...(await this.recordings.get(caller, id))));
  }

  @Patch(':id')
  @ApiBody({ type: UpdateRecordingDto, examples: UPDATE_RECORDING_BODIES })
  @Endpoint({
    summary: 'Update a recording',
    scope: 'recordings:write',
    description:
      'Changes the title or the notes, moves the recording to another folder or organization, or reports the status of a client that records elsewhere.\n\nAllowed even when the recording is locked or the subscription has expired, except for changes of `notes`, which cannot be read then (a request that contains them is rejected as a whole), and of the organization.\n\nMoving it out of an organization:\n\n- An `OWNER` of the organization can, and so can the owner of the recording, if they are `ADMIN` or the organization has `members_may_take_recordings`. Both need the feature flags `downloads` and `sharing`, of the organization and as a member.\n- The owner of the recording must be a member of the destination. If they are not a member where it is, only an `OWNER` can move it, who becomes its owner unless the previous one is a member of the destination.\n- Only the owner of the recording can make it personal.\n- If someone else moves it to another organization, its owner is notified by email, if a mail server is configured.',
    reply: SuccessReply,
    errors: [
      ...RECORDING_REFUSALS,
      'CONFLICT',
      'LEGAL_HOLD',
      'ORGANIZATION_NOT_FOUND',
      'QUOTA_EXCEEDED',
      'PRECONDITION_FAILED',
    ],
  })
  async updateRecording(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @IfMatch() condition: Precondition,
    @Body() body: UpdateRecordingDto,
  ) {
    return succeed(this.recordings.update(caller, id, body, condition));
  }

  @Delete(':id')
  @Endpoint({
    summary: 'Delete a recording',
    scope: 'recordings:delete',
    description:
      'Deletes the recording with its transcript, summary, share links and files.\n\n- For good and at once, unless its organization (`bin_days`), or for personal recordings the service, keeps deleted recordings for some days.\n- Until then, nobody finds or opens it, its media URLs and share links do not work, and it counts towards the quota. `GET /deleted-recordings` lists it, and it can be restored with everything.\n- 409 while it must be kept.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'PRECONDITION_FAILED', 'LEGAL_HOLD', 'CONFLICT'],
  })
  async deleteRecording(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @IfMatch() condition: Precondition,
  ) {
    return succeed(this.recordings.delete(caller, id, condition));
  }
}
