import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import { ERASURE_LIMITS } from './erasure-limits.js';
import {
  CreateErasureDto,
  ERASURE_BODIES,
  PresentedErasure,
  presentErasure,
  RunErasureDto,
} from './erasure.dto.js';
import { ErasuresService } from './erasures.service.js';

const SCOPES = ['organizations:manage', 'recordings:delete'] as const;

@ApiTags('Organizations')
@Controller('organizations/:id/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @ApiBody({ type: CreateErasureDto, examples: ERASURE_BODIES })
  @Endpoint({
    summary: 'Preview the erasure of a person',
    scope: [...SCOPES],
    description: `\`OWNER\` only. Counts what the organization has of a person, and lists the texts that people have to edit themselves. Nothing is erased until the erasure is run, within ${ERASURE_LIMITS.previewHours} hours.`,
    status: 201,
    location: '/organizations/:id/erasures/{id}',
    costly: true,
    reply: PresentedErasure,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async createErasure(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Body() body: CreateErasureDto,
  ) {
    return reply(presentErasure(await this.erasures.preview(caller, id, body)));
  }

  @Get(':erasureId')
  @Endpoint({
    summary: 'Get an erasure',
    scope: [...SCOPES],
    description: '`OWNER` only. Once it is completed, with its receipt.',
    reply: PresentedErasure,
    errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND'],
  })
  async getErasure(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @IdParam('erasure', 'erasureId') erasureId: string,
  ) {
    return reply(presentErasure(await this.erasures.get(caller, id, erasureId)));
  }

  @Post(':erasureId/run')
  @Endpoint({
    summary: 'Erase a person',
    scope: [...SCOPES],
    description:
      '`OWNER` only. A job deletes their recordings, without the bin, removes their words and name from those of others, with all earlier revisions, makes the words inaudible in all stored media, and ends their membership, invitations and keys of the organization. An erasure that has failed goes on. Refused as a whole while one of the recordings is under legal hold, and for the last `OWNER`.',
    status: 202,
    reply: PresentedErasure,
    errors: ['ORGANIZATION_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'LEGAL_HOLD'],
  })
  async runErasure(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @TargetIdParam('erasure', 'erasureId') erasureId: string,
    @Body() { confirm_recordings: confirmed }: RunErasureDto,
  ) {
    const erasure = await this.erasures.get(caller, id, erasureId);
    return reply(presentErasure(await this.erasures.run(caller, erasure, confirmed)));
  }
}
