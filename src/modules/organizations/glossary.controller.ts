import { Controller, Get, Put } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../contract/id-param.decorator.js';
import { documented, SchemaBody } from '../../platform/http/fields/schema-body.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { reply } from '../../platform/openapi/reply.dto.js';
import type { Caller } from '../../policy/caller.js';
import {
  GLOSSARY,
  GLOSSARY_BODIES,
  GlossaryResponse,
  presentGlossary,
  type GivenGlossary,
} from './public/glossary.dto.js';
import { GlossaryService } from './glossary.service.js';

@ApiTags('Organizations')
@Controller('organizations/:id/glossary')
export class GlossaryController {
  constructor(private readonly glossary: GlossaryService) {}

  @Get()
  @Endpoint({
    summary: 'Get the glossary',
    scope: 'organizations:read',
    description: 'The names and terms of the organization. The caller must be a member.',
    reply: GlossaryResponse,
    compressed: true,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async getGlossary(@CurrentCaller() caller: Caller, @IdParam('organization') id: string) {
    return reply(presentGlossary(await this.glossary.get(caller, id)));
  }

  @Put()
  @ApiBody({ schema: documented(GLOSSARY), examples: GLOSSARY_BODIES })
  @Endpoint({
    summary: 'Replace the glossary',
    scope: 'organizations:manage',
    description:
      '`OWNER` and `ADMIN` only. Transcriptions from then on spell the terms like this where the same letters and digits are heard, whatever their case, accents, spaces and hyphens, and where one of `heard_as` is; the case of a plain word alone is left as it is. Recognizers and chat servers that take such a list get it.',
    reply: GlossaryResponse,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async replaceGlossary(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @SchemaBody(GLOSSARY) { terms }: GivenGlossary,
  ) {
    return reply(presentGlossary(await this.glossary.replace(caller, id, terms)));
  }
}
