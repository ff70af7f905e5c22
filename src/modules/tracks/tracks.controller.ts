import { Body, Controller, Delete, Get, Patch, Post, Put, Req } from '@nestjs/common';
import { TRACK_LIMITS } from './track-limits.js';
import { ApiBody } from '@nestjs/swagger';
import type { Request } from 'express';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { FILE_FORM } from '../../platform/http/bodies/one-file-form.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CREATE_TRACK_BODIES,
  CreatedTrack,
  CreateTrackDto,
  presentTrack,
  Track,
  UPDATE_TRACK_BODIES,
  UpdateTrackDto,
} from './public/track.dto.js';
import { TracksService } from './tracks.service.js';

@ApiTags('Tracks')
@Controller('recordings')
export class TracksController {
  constructor(private readonly tracks: TracksService) {}

  @Post(':id/tracks')
  @ApiBody({ type: CreateTrackDto, examples: CREATE_TRACK_BODIES })
  @Endpoint({
    summary: 'Add a track',
    scope: 'recordings:write',
    description: `A track is the file of a single participant. A recording can have ${TRACK_LIMITS.tracks}, each of which is transcribed by itself, so that the transcript says exactly who said what.\n\n- Upload it as media, before or after that of the recording, several at once and in any order: to the \`upload_url\`, with \`PUT /recordings/{id}/tracks/{trackId}/media\`, or with a \`source_url\`.\n- A ZIP file from a recorder (Zoom's file for each participant, Craig, LiveKit egress with its manifests, BigBlueButton with its events, or any media files) is replaced by one track for each file in it, and a file that has several voices on separate tracks by one track for each voice.\n- The media of a recording that was created with \`media\` \`none\` is a mix of its tracks.\n- Once all tracks are there, a transcript that the service wrote and nobody has corrected is written anew.\n- A track that cannot be processed gets the status \`ERROR\`, and does not affect the others.`,
    status: 201,
    location: '/recordings/:id/tracks',
    costly: true,
    reply: CreatedTrack,
    shows: { as: 'AddedTrack', scope: 'recordings:read', always: ['id', 'status', 'upload_url'] },
    errors: [...RECORDING_REFUSALS, 'QUOTA_EXCEEDED', 'CONFLICT'],
  })
  async createTrack(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Body() body: CreateTrackDto,
  ) {
    const [track, uploadUrl] = await this.tracks.create(caller, id, body);
    return reply({ ...presentTrack(track), upload_url: uploadUrl });
  }

  @Get(':id/tracks')
  @Endpoint({
    summary: 'List tracks',
    scope: 'recordings:read',
    description: 'All tracks of a recording, in the order in which they were added.',
    reply: Track,
    many: true,
    errors: [...RECORDING_REFUSALS],
  })
  async listTracks(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply((await this.tracks.list(caller, id)).map(presentTrack));
  }

  @Put(':id/tracks/:trackId/media')
  @Endpoint({
    summary: 'Upload the file of a track',
    scope: 'recordings:write',
    description:
      'Uploads a complete file, as the body (`curl -T`) or as the only part of a form, replaces what the upload of the track has received and closes it.',
    reply: Track,
    shows: { as: 'UploadedTrack', scope: 'recordings:read', always: ['id', 'status'] },
    stream: true,
    takes: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } }, ...FILE_FORM },
    errors: ['RECORDING_NOT_FOUND', 'TRACK_NOT_FOUND', 'QUOTA_EXCEEDED', 'CONFLICT', 'NOT_FOUND'],
  })
  async uploadTrack(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @TargetIdParam('track', 'trackId') trackId: string,
    @Req() request: Request,
  ) {
    return reply(presentTrack(await this.tracks.upload(caller, id, trackId, request)));
  }

  @Patch(':id/tracks/:trackId')
  @ApiBody({ type: UpdateTrackDto, examples: UPDATE_TRACK_BODIES })
  @Endpoint({
    summary: 'Change a track',
    scope: 'recordings:write',
    description:
      'Changes the name, the participant, the language or the offset of a track. With an `offset`, it is processed again.',
    reply: Track,
    shows: { as: 'ChangedTrack', scope: 'recordings:read', always: ['id', 'status'] },
    errors: [...RECORDING_REFUSALS, 'TRACK_NOT_FOUND'],
  })
  async updateTrack(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @IdParam('track', 'trackId') trackId: string,
    @Body() body: UpdateTrackDto,
  ) {
    return reply(presentTrack(await this.tracks.update(caller, id, trackId, body)));
  }

  @Delete(':id/tracks/:trackId')
  @Endpoint({
    summary: 'Delete a track',
    scope: 'recordings:delete',
    description:
      'With its files, for good and at once; an upload of it is canceled. The transcript stays as it is. A mix of the tracks is made anew without it. 409 while the recording must be kept.',
    reply: SuccessReply,
    errors: ['RECORDING_NOT_FOUND', 'TRACK_NOT_FOUND', 'LEGAL_HOLD', 'CONFLICT'],
  })
  async deleteTrack(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @TargetIdParam('track', 'trackId') trackId: string,
  ) {
    return succeed(this.tracks.delete(caller, id, trackId));
  }
}
