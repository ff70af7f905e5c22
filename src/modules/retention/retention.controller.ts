import { Controller, Get, Put, Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { documented, SchemaBody } from '../../platform/http/fields/schema-body.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  PreviewDto,
  presentPreview,
  presentRetentionRules,
  RETENTION,
  RETENTION_BODIES,
  RetentionPreview,
  RetentionResponse,
  type GivenRetention,
} from './retention.dto.js';
import { RetentionService } from './retention.service.js';

@ApiTags('Organizations')
@Controller('organizations/:id/retention')
export class RetentionController {
  constructor(private readonly retention: RetentionService) {}

  @Get()
  @Endpoint({
    summary: 'Get the retention rules',
    scope: 'organizations:read',
    description: '`OWNER` and `ADMIN` only.',
    reply: RetentionResponse,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async getRetention(@CurrentCaller() caller: Caller, @IdParam('organization') id: string) {
    return reply(presentRetentionRules(await this.retention.get(caller, id)));
  }

  @Put()
  @ApiBody({ schema: documented(RETENTION), examples: RETENTION_BODIES })
  @Endpoint({
    summary: 'Replace the retention rules',
    scope: 'organizations:manage',
    description:
      '`OWNER` only. What the rules remove is gone for good; legal holds keep what they cover. A new or changed rule removes nothing for `notice_days`.',
    reply: RetentionResponse,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async replaceRetention(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @SchemaBody(RETENTION) given: GivenRetention,
  ) {
    return reply(presentRetentionRules(await this.retention.replace(caller, id, given)));
  }

  @Get('preview')
  @Endpoint({
    summary: 'Preview what retention rules remove',
    scope: 'organizations:read',
    description:
      '`OWNER` and `ADMIN` only. The recordings that the rules will remove in the next days, in whole or in part, unless a legal hold keeps them.',
    reply: RetentionPreview,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async previewRetention(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() { days }: PreviewDto,
  ) {
    return reply(presentPreview(await this.retention.preview(caller, id, days)));
  }
}
