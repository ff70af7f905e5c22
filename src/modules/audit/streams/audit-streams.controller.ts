import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { ApiTags } from '../../../contract/api-tags.decorator.js';
import { LIMITS } from '../../../contract/limits.js';
import { Endpoint } from '../../../contract/endpoint.decorator.js';
import { IdParam, TargetIdParam } from '../../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../../platform/http/requests/current-caller.decorator.js';
import { reply, succeed, SuccessReply } from '../../../platform/openapi/reply.dto.js';
import type { Caller } from '../../../policy/caller.js';
import { PresentedAuditStream, PutAuditStreamDto } from './audit-stream.dto.js';
import { AuditStreamsService } from './audit-streams.service.js';

@ApiTags('Audit')
@Controller('organizations/:id/audit-stream')
export class AuditStreamsController {
  constructor(private readonly streams: AuditStreamsService) {}

  @Get()
  @Endpoint({
    summary: 'Get where the audit log is sent',
    scope: 'audit:read',
    description: '`OWNER` only. Includes how far behind the receiver is, and why it fails.',
    reply: PresentedAuditStream,
    errors: ['ORGANIZATION_NOT_FOUND', 'AUDIT_STREAM_NOT_FOUND'],
  })
  async getAuditStream(@CurrentCaller() caller: Caller, @IdParam('organization') id: string) {
    return reply(await this.streams.get(caller, id));
  }

  @Put()
  @Endpoint({
    summary: 'Send the audit log somewhere',
    scope: ['organizations:manage', 'audit:read'],
    description: `\`OWNER\` only. From now on, the entries of the audit log are sent to the URL with \`POST\`, in batches of at most ${LIMITS.auditStreamBatch}, with fields of OCSF beside those of the API.\n\n- At least once, and in the order in which they were sealed, about a minute after they were written; \`id\` tells repeated ones. A batch is sent again until the receiver answers with 2xx.\n- A receiver that replaces another one continues where that has ended. What was logged before the first: \`GET /organizations/{id}/audit-log?format=ndjson\`.`,
    reply: PresentedAuditStream,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async putAuditStream(
    @CurrentCaller() caller: Caller,
    @TargetIdParam('organization') id: string,
    @Body() body: PutAuditStreamDto,
  ) {
    return reply(await this.streams.put(caller, id, body));
  }

  @Delete()
  @Endpoint({
    summary: 'Stop sending the audit log',
    scope: ['organizations:manage', 'audit:read'],
    description: '`OWNER` only. What the receiver has not taken is not sent any more.',
    reply: SuccessReply,
    errors: ['ORGANIZATION_NOT_FOUND', 'AUDIT_STREAM_NOT_FOUND'],
  })
  async deleteAuditStream(@CurrentCaller() caller: Caller, @TargetIdParam('organization') id: string) {
    return succeed(this.streams.delete(caller, id));
  }
}
