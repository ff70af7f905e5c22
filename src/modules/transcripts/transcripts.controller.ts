import { Body, Controller, Get, Param, Patch, Post, Put, Query, Req } from '@nestjs/common';
import { ApiBody, ApiParam } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { IfMatch, Precondition } from '../../platform/http/replies/revisions.js';
import { documented, SchemaBody } from '../../platform/http/fields/schema-body.js';
import { AcceptedFormat } from '../../platform/http/replies/text-file.js';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  CorrectSegmentDto,
  RENAME_SPEAKERS,
  RENAME_SPEAKERS_BODIES,
  RENAME_SPEAKERS_BODY,
  type RenameSpeakers,
  CorrectedSegment,
  RenamedSpeakers,
  presentRevision,
  RevisionItem,
} from './dto/transcript-changes.dto.js';
import {
  SendTranscriptDto,
  TRANSCRIPT_BODIES,
  presentImportedTranscript,
  ImportedTranscript,
} from './dto/import-transcript.dto.js';
import {
  presentSegment,
  TranscriptPageDto,
  presentTranscript,
  TranscriptPage,
} from './public/transcript-page.dto.js';
import { TranscriptRevisionsService } from './transcript-revisions.service.js';
import {
  TRANSCRIPT_FILES,
  TRANSCRIPT_MEDIA_TYPES,
  type TranscriptFormat,
} from '../../lib/transcript-formats/written-formats.js';
import { READ_FORMATS } from '../../lib/transcript-formats/read-formats.js';
import { TranscriptImportService } from './transcript-import.service.js';
import { TranscriptPagesService } from './transcript-pages.service.js';
import { LIMITS, SEGMENTS_PER_CHUNK } from '../../contract/limits.js';
import { sizeText } from '../../lib/amounts.js';

const ACCESS = [...RECORDING_REFUSALS, 'TRANSCRIPT_NOT_AVAILABLE'] as const;

@ApiTags('Transcripts')
@Controller('recordings')
export class TranscriptsController {
  constructor(
    private readonly pages: TranscriptPagesService,
    private readonly imports: TranscriptImportService,
    private readonly revisions: TranscriptRevisionsService,
  ) {}

  @Get(':id/transcript')
  @Endpoint({
    summary: 'Get transcript segments',
    scope: 'transcripts:read',
    description: `A page of the transcript, in chunks of ${SEGMENTS_PER_CHUNK} segments; with \`format\` or an \`Accept\` header, the whole transcript as a file. A recording that has not been transcribed yet returns \`status\` \`not_started\` and no segments, or \`CONFLICT\` instead of a file.`,
    reply: TranscriptPage,
    compressed: true,
    files: TRANSCRIPT_MEDIA_TYPES,
    etag: 'whole',
    errors: [...ACCESS, 'CONFLICT'],
  })
  async getTranscript(
    @CurrentCaller() caller: Caller,
    @IdParam('recording') id: string,
    @Query() query: TranscriptPageDto,
    @AcceptedFormat(TRANSCRIPT_FILES) accepted: TranscriptFormat | null,
  ) {
    return presentTranscript(await this.pages.read(caller, id, query, accepted));
  }

  @Put(':id/transcript')
  @Endpoint({
    summary: 'Import a transcript',
    scope: 'transcripts:write',
    description: `Replaces the transcript with a file of at most ${sizeText(LIMITS.transcriptFile)}, sent as the body or as the only part of a form.\n\n- Formats: ${READ_FORMATS}.\n- The format is detected from the content; a \`Content-Type\` that names WebVTT, SRT, JSON or Word must match it.\n- Segments without a confidence get 1; in formats without end times, a segment lasts until the next one begins.`,
    reply: ImportedTranscript,
    stream: true,
    takes: TRANSCRIPT_BODIES,
    errors: [...ACCESS, 'PRECONDITION_FAILED'],
  })
  async importTranscript(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Query() query: SendTranscriptDto,
    @IfMatch() condition: Precondition,
    @Req() request: Request,
  ) {
    return reply(presentImportedTranscript(await this.imports.import(caller, id, query, condition, request)));
  }

  @Patch(':id/transcript/speakers')
  @ApiBody({ schema: documented(RENAME_SPEAKERS_BODY), examples: RENAME_SPEAKERS_BODIES })
  @Endpoint({
    summary: 'Name, rename or merge speakers',
    scope: 'transcripts:write',
    description:
      'One rename, or a list of renames that are applied at the same time: two speakers can swap labels, and speakers that get the same label are merged. An empty `from` names the segments without a speaker. With `segments`, a rename applies only to segments of that range; in a list, no segment may be renamed twice.',
    reply: RenamedSpeakers,
    shows: { as: 'RenamedSpeakers', scope: 'transcripts:read', always: ['revision'] },
    errors: [...ACCESS, 'CONFLICT', 'PRECONDITION_FAILED'],
  })
  async renameSpeakers(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @SchemaBody(RENAME_SPEAKERS) renames: RenameSpeakers,
    @IfMatch() condition: Precondition,
  ) {
    return reply(await this.revisions.renameSpeakers(caller, { recordingId: id, condition }, renames));
  }

  @Patch(':id/transcript/segments/:segmentId')
  @ApiParam({
    name: 'segmentId',
    description: 'Id of the segment',
    schema: { type: 'integer' },
    example: 0,
  })
  @Endpoint({
    summary: 'Correct a segment',
    scope: 'transcripts:write',
    description: 'Replaces the text of a segment. Its times, speaker and confidence stay the same.',
    reply: CorrectedSegment,
    shows: { as: 'CorrectedSegment', scope: 'transcripts:read', always: ['id', 'revision'] },
    errors: [...ACCESS, 'SEGMENT_NOT_FOUND', 'CONFLICT', 'PRECONDITION_FAILED'],
  })
  async correctSegment(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Param('segmentId') segmentId: string,
    @Body() { text }: CorrectSegmentDto,
    @IfMatch() condition: Precondition,
  ) {
    const change = { recordingId: id, condition };
    const { segment, revision } = await this.revisions.correctSegment(caller, change, segmentId, text);
    return reply({ ...presentSegment(segment), revision });
  }

  @Get(':id/transcript/revisions')
  @Endpoint({
    summary: 'List transcript revisions',
    scope: 'transcripts:read',
    description:
      'The current content of the transcript and up to nine before it, newest first; empty before the first. Importing, correcting, renaming speakers, transcribing and restoring each make a revision.',
    reply: RevisionItem,
    compressed: true,
    many: true,
    errors: ACCESS,
  })
  async listRevisions(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply((await this.revisions.list(caller, id)).map(presentRevision));
  }

  @Post(':id/transcript/revisions/:revision/restore')
  @ApiParam({
    name: 'revision',
    description: 'Number of the revision',
    schema: { type: 'integer' },
    example: 1,
  })
  @Endpoint({
    summary: 'Restore a transcript revision',
    scope: 'transcripts:write',
    description:
      'Makes the content of an earlier revision the current one, as a new revision, which it returns: segments, speakers, language and duration. A transcription in progress is dropped, as by an import.',
    status: 201,
    location: '/recordings/:id/transcript',
    reply: RevisionItem,
    shows: { as: 'RestoredTranscript', scope: 'transcripts:read', always: ['revision'] },
    errors: [...ACCESS, 'TRANSCRIPT_REVISION_NOT_FOUND', 'PRECONDITION_FAILED'],
  })
  async restoreRevision(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('recording') id: string,
    @Param('revision') revision: string,
    @IfMatch() condition: Precondition,
  ) {
    const restored = await this.revisions.restore(caller, { recordingId: id, condition }, revision);
    return reply(presentRevision(restored, 0));
  }
}
