import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentCaller } from '../../platform/http/current-caller.decorator.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { ApiIdParam } from '../../contract/id-param.decorator.js';
import { reply, SUCCESS, SuccessReply, type Reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { CreatedRecording, CreateRecordingDto } from './dto/create-recording.dto.js';
import { ListRecordingsDto } from '../recording-list/dto/list-recordings.dto.js';
import { RecordingDetail } from './dto/recording-detail.response.dto.js';
import { ListPagination, ListedRecording } from '../recording-list/dto/listed-recording.response.dto.js';
import { presentListPage } from '../recording-list/recording-list.presenter.js';
import { UpdateRecordingDto } from './dto/update-recording.dto.js';
import { presentCreated, presentDetail } from './recording-detail.presenter.js';
import { RecordingListService } from '../recording-list/recording-list.service.js';
import { RecordingsService } from './recordings.service.js';

@ApiTags('Recordings')
@Controller('recordings')
export class RecordingsController {
  constructor(
    private readonly recordings: RecordingsService,
    private readonly lists: RecordingListService,
  ) {}

  @Get()
  @Endpoint({
    summary: 'List recordings',
    description:
      'A page of the recordings the caller can see, personal ones and those of organizations, newest first. Page by `offset`, or by `cursor` where lists are long.',
    reply: ListedRecording,
    many: true,
    pagination: ListPagination,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND'],
  })
  async listRecordings(
    @CurrentCaller() caller: Caller,
    @Query() query: ListRecordingsDto,
  ): Promise<Reply<ListedRecording[]> & { pagination: ListPagination }> {
    return presentListPage(await this.lists.list(caller, query));
  }

  @Post()
  @Endpoint({
    summary: 'Create a recording',
    description:
      'A recording in `UPLOADING` that waits for its bytes. `upload_url` speaks [tus 1.0](https://tus.io) (resumable, with checksums, also while the meeting still runs); `PUT /recordings/{id}/media` takes a whole file. In an organization, roles from EDITOR up create recordings.',
    status: 201,
    reply: CreatedRecording,
    errors: ['FORBIDDEN', 'ORGANIZATION_NOT_FOUND', 'ORGANIZATION_SUBSCRIPTION_EXPIRED', 'CONFLICT'],
  })
  async createRecording(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateRecordingDto,
  ): Promise<Reply<CreatedRecording>> {
    return reply(presentCreated(...(await this.recordings.create(caller, body))));
  }

  @Put(':id/media')
  @ApiIdParam('recording')
  @ApiConsumes('application/octet-stream')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, description: 'The file as it is' })
  @Endpoint({
    summary: 'Upload a whole file',
    description:
      'For a plain `curl -T`: streams the file, in place of what was uploaded before, and closes the upload. Its type is told from its bytes.',
    reply: RecordingDetail,
    stream: true,
    errors: [
      'RECORDING_NOT_FOUND',
      'FORBIDDEN',
      'CONFLICT',
      'NOT_FOUND',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ],
  })
  async uploadMedia(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Req() request: Request,
  ): Promise<Reply<RecordingDetail>> {
    return reply(presentDetail(...(await this.recordings.upload(caller, id, request))));
  }

  @Get(':id')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'Get a recording',
    description:
      "Everything about one recording. `isLocked`, `downloadUrl` and `capabilities` follow the organization's plan and the member's feature flags; for a personal recording, its owner's plan.",
    reply: RecordingDetail,
    errors: ['RECORDING_NOT_FOUND', 'ORGANIZATION_SUBSCRIPTION_EXPIRED'],
  })
  async getRecording(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<RecordingDetail>> {
    return reply(presentDetail(...(await this.recordings.get(caller, id))));
  }

  @Patch(':id')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'Update a recording',
    description:
      'Renames it, changes its notes, or reports how far a client is that records elsewhere. Allowed also when the recording is locked or its subscription has expired, except with `notes`, which cannot be read then: such a request is refused as a whole.',
    reply: SuccessReply,
    errors: [
      'RECORDING_NOT_FOUND',
      'FORBIDDEN',
      'CONFLICT',
      'RECORDING_LOCKED',
      'ORGANIZATION_SUBSCRIPTION_EXPIRED',
    ],
  })
  async updateRecording(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateRecordingDto,
  ): Promise<Reply<SuccessReply>> {
    await this.recordings.update(caller, id, body);
    return reply(SUCCESS);
  }

  @Delete(':id')
  @ApiIdParam('recording')
  @Endpoint({
    summary: 'Delete a recording',
    description:
      'Permanently deletes it with its transcript, summary, share links and files; this cannot be undone.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'FORBIDDEN'],
  })
  async deleteRecording(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<Reply<SuccessReply>> {
    await this.recordings.delete(caller, id);
    return reply(SUCCESS);
  }
}
