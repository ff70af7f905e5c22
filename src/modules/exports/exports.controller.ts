import { Body, Controller, Delete, Get, Param, Post, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { RECORDING_REFUSALS } from '../../contract/error-responses.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { AcceptsAnyQuery, Public } from '../../platform/http/requests/endpoint-inputs.js';
import { reply, succeed, SuccessReply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { EXPORT_LIMITS } from './export-limits.js';
import { CreateExportDto, PresentedExport, presentExport } from './exports.dto.js';
import { ExportsService, TO_EXPORT } from './exports.service.js';

const CREATED = { status: 201, location: '/exports/{id}', reply: PresentedExport, costly: true } as const;
const LEFT_OUT = `A job writes the ZIP file; \`export.completed\` says when it is done. What the user may not read is left out and named in its \`report.json\`. A user has at most ${EXPORT_LIMITS.perUser} exports.`;
const WHOLE = `It has at most ${EXPORT_LIMITS.recordings} recordings of ${EXPORT_LIMITS.gigabytes} GB: more are exported in parts, by when they were created. ${LEFT_OUT}`;

@ApiTags('Exports')
@Controller()
export class ExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Post('recordings/:id/exports')
  @Endpoint({
    ...CREATED,
    summary: 'Export a recording',
    scope: TO_EXPORT.recording,
    description: `With original file, playable file, transcript in all formats, summary and details. ${LEFT_OUT}`,
    errors: [...RECORDING_REFUSALS, 'CONFLICT'],
  })
  async exportRecording(@CurrentCaller() caller: Caller, @IdParam('recording') id: string) {
    return reply(presentExport(await this.exports.exportRecording(caller, id)));
  }

  @Post('me/exports')
  @Endpoint({
    ...CREATED,
    summary: 'Export what you have',
    scope: TO_EXPORT.user,
    description: `The recordings that you own, also in organizations as long as you see them there, and your profile. ${WHOLE}`,
    errors: ['CONFLICT'],
  })
  async exportUser(@CurrentCaller() caller: Caller, @Body() body: CreateExportDto) {
    return reply(presentExport(await this.exports.exportUser(caller, body)));
  }

  @Post('organizations/:id/exports')
  @Endpoint({
    ...CREATED,
    summary: 'Export an organization',
    scope: TO_EXPORT.organization,
    description: `\`OWNER\` only. Its recordings, members, folders and glossary; personal recordings of members are never in it. ${WHOLE}`,
    errors: ['ORGANIZATION_NOT_FOUND', 'CONFLICT'],
  })
  async exportOrganization(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Body() body: CreateExportDto,
  ) {
    return reply(presentExport(await this.exports.exportOrganization(caller, id, body)));
  }

  @Get('exports')
  @Endpoint({
    summary: 'List exports',
    scope: TO_EXPORT.recording,
    description: "The caller's own, newest first, without those that the API key could not have requested.",
    reply: PresentedExport,
    many: true,
  })
  async listExports(@CurrentCaller() caller: Caller) {
    return reply((await this.exports.list(caller)).map(presentExport));
  }

  @Get('exports/:id')
  @Endpoint({
    summary: 'Get an export',
    scope: TO_EXPORT.recording,
    reply: PresentedExport,
    errors: ['EXPORT_NOT_FOUND'],
  })
  async getExport(@CurrentCaller() caller: Caller, @IdParam('export') id: string) {
    return reply(presentExport(await this.exports.get(caller, id)));
  }

  @Delete('exports/:id')
  @Endpoint({
    summary: 'Delete an export',
    scope: TO_EXPORT.recording,
    description: 'Also one that is being written.',
    reply: SuccessReply,
    errors: ['EXPORT_NOT_FOUND'],
  })
  async deleteExport(@CurrentCaller() caller: Caller, @TargetIdParam('export') id: string) {
    return succeed(this.exports.delete(caller, id));
  }
}

/** The signed files. Not in the API document, as clients get these URLs from other responses. */
@ApiExcludeController()
@Public()
@Controller('exports')
export class ExportFilesController {
  constructor(private readonly exports: ExportsService) {}

  @Get(':id/file')
  @AcceptsAnyQuery()
  async file(@Param('id') id: string, @Res() response: Response): Promise<void> {
    await this.exports.send(id, response);
  }
}
