import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { DomainError, required } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { SEALED_TEXTS } from '../../../platform/sealing/sealed-texts.js';
import { Sealer, type Sealed } from '../../../platform/sealing/sealer.js';
import type { Caller } from '../../../policy/caller.js';
import { requireWholeOrganizations } from '../../../policy/reach.js';
import type { Role } from '../../../policy/roles.js';
import { OrganizationTransactions } from '../../organizations/organization-transactions.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { forbidden, requireRole } from '../../organizations/public/organization-requirements.queries.js';
import type { PresentedAuditStream, PutAuditStreamDto } from './audit-stream.dto.js';
import type { StreamEndpoint } from './stream-formats.js';
import { deleteStream, findStream, putStream } from './streams.queries.js';

const { contextOf } = SEALED_TEXTS.auditStreams;
const WHAT = 'decide where the audit log is sent';
const isOwner = (role: Role): boolean => role === 'OWNER';

/** The receiver of the audit log of an organization, which its OWNERs name. */
@Injectable()
export class AuditStreamsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sealer: Sealer,
    private readonly organizations: OrganizationsService,
    private readonly transactions: OrganizationTransactions,
    private readonly clock: Clock,
  ) {}

  /** For an OWNER: 404 `ORGANIZATION_NOT_FOUND` or 403 `FORBIDDEN` for others; 404 `AUDIT_STREAM_NOT_FOUND` without a receiver. */
  async get(caller: Caller, organizationId: string): Promise<PresentedAuditStream> {
    const role = await this.organizations.requireMember(caller, organizationId);
    if (!isOwner(role)) throw forbidden(role, WHAT, isOwner);
    requireWholeOrganizations(caller, 'read where the audit log is sent');
    return this.present(organizationId);
  }

  /** Names a receiver, which is sent what is logged from now on, or what the one before it has not taken. */
  async put(
    caller: Caller,
    organizationId: string,
    { url: text, token = null, format }: PutAuditStreamDto,
  ): Promise<PresentedAuditStream> {
    await this.transactions.change(caller, organizationId, async (manager, organization) => {
      requireRole(organization, WHAT, isOwner);
      const { id } = organization;
      const endpoint: StreamEndpoint = { url: new URL(text).href, token };
      const sealed = this.sealer.seal(JSON.stringify(endpoint), contextOf(id));
      await putStream(manager, id, { ...sealed, format, now: this.clock.now() });
    });
    return this.present(organizationId);
  }

  /** Ends it: what the receiver has not taken is not sent. */
  async delete(caller: Caller, organizationId: string): Promise<void> {
    await this.transactions.change(caller, organizationId, async (manager, organization) => {
      requireRole(organization, WHAT, isOwner);
      if (!(await deleteStream(manager, organization.id))) throw new DomainError('AUDIT_STREAM_NOT_FOUND');
    });
  }

  /** Throws a `SealError` if it cannot be read. */
  reveal(organizationId: string, sealed: Sealed): StreamEndpoint {
    return JSON.parse(this.sealer.unseal(sealed, contextOf(organizationId))) as StreamEndpoint;
  }

  private async present(organizationId: string): Promise<PresentedAuditStream> {
    const id = organizationId.toLowerCase();
    const stream = required(await findStream(this.dataSource.manager, id), 'AUDIT_STREAM_NOT_FOUND');
    const { url, token } = this.reveal(id, stream);
    return {
      url,
      has_token: token !== null,
      format: stream.format,
      sent_at: stream.sentAt?.toISOString() ?? null,
      lag_seconds: stream.lagSeconds,
      failing_since: stream.failingSince?.toISOString() ?? null,
      last_error: stream.lastError,
    };
  }
}
