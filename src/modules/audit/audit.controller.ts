import { Controller, Get, Query, type StreamableFile } from '@nestjs/common';
import { ApiTags } from '../../contract/api-tags.decorator.js';
import { CursorPagination } from '../../contract/cursor-pagination.dto.js';
import { Endpoint } from '../../contract/endpoint.decorator.js';
import { IdParam } from '../../contract/id-param.decorator.js';
import { CurrentCaller } from '../../platform/http/requests/current-caller.decorator.js';
import { AcceptedFormat, mediaType } from '../../platform/http/replies/text-file.js';
import type { Caller } from '../../policy/caller.js';
import { presentAuditLog, PresentedAuditEntry } from './dto/audit-entry.response.dto.js';
import { AUDIT_FILES, AUDIT_FORMATS, ListAuditLogDto, type AuditFormat } from './dto/list-audit-log.dto.js';
import { AuditLogService } from './reading/audit-log.service.js';

const LIST = {
  reply: PresentedAuditEntry,
  many: true,
  pagination: CursorPagination,
  files: AUDIT_FORMATS.map((format) => mediaType(AUDIT_FILES[format])),
} as const;

const PAGES =
  '- Where several filters are combined, a page may have fewer entries than `limit`, even none, although more follow: continue while `has_more` is true.\n- With `format=ndjson` or an `Accept` header, all matching entries as a file; a user can have at most two of these open, and a file that breaks off is incomplete.';

@ApiTags('Audit')
@Controller()
export class AuditController {
  constructor(private readonly audit: AuditLogService) {}

  @Get('organizations/:id/audit-log')
  @Endpoint({
    summary: 'Read the audit log of an organization',
    scope: 'audit:read',
    description: `Everything that was changed in the organization, by whom, when and from where, newest first; \`OWNER\` and \`ADMIN\` only.\n\n${PAGES}`,
    ...LIST,
    errors: ['ORGANIZATION_NOT_FOUND'],
  })
  async getOrganizationAuditLog(
    @CurrentCaller() caller: Caller,
    @IdParam('organization') id: string,
    @Query() query: ListAuditLogDto,
    @AcceptedFormat(AUDIT_FILES) accepted: AuditFormat | null,
  ): Promise<ReturnType<typeof presentAuditLog> | StreamableFile> {
    return presentAuditLog(await this.audit.read(caller, { organizationId: id }, query, accepted));
  }

  @Get('audit-log')
  @Endpoint({
    summary: 'Read the audit log of the installation',
    scope: ['operator', 'audit:read'],
    description: `Operators only. Everything that was changed in any organization or in none, by whom, when and from where, with all sign-ins; newest first.\n\n${PAGES}`,
    ...LIST,
  })
  async getInstallationAuditLog(
    @CurrentCaller() caller: Caller,
    @Query() query: ListAuditLogDto,
    @AcceptedFormat(AUDIT_FILES) accepted: AuditFormat | null,
  ): Promise<ReturnType<typeof presentAuditLog> | StreamableFile> {
    return presentAuditLog(await this.audit.read(caller, { installation: true }, query, accepted));
  }
}

@ApiTags('You')
@Controller('me/audit-log')
export class OwnAuditController {
  constructor(private readonly audit: AuditLogService) {}

  @Get()
  @Endpoint({
    summary: 'Read your own audit log',
    scope: 'audit:read',
    description: `What the caller did, and what others did that concerns the caller, without their addresses and API keys; also sign-ins with the caller's API keys. Newest first.\n\n${PAGES}`,
    ...LIST,
  })
  async getMyAuditLog(
    @CurrentCaller() caller: Caller,
    @Query() query: ListAuditLogDto,
    @AcceptedFormat(AUDIT_FILES) accepted: AuditFormat | null,
  ): Promise<ReturnType<typeof presentAuditLog> | StreamableFile> {
    return presentAuditLog(await this.audit.read(caller, { userId: caller.id }, query, accepted));
  }
}
