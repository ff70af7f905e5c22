import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import type { SharePermission } from '../sharing/entities/share-link.entity.js';
import { ShareAccessService } from '../sharing/share-access.service.js';
import { hlsScope } from '../media/media-urls.service.js';

/** The token in the path of a playlist: expiry and signature, preceded by the grant if there is one. */
const HLS_TOKEN = /^(?:([\w-]+)\.)?(\d+\.[\w-]+)$/;

/** The grant of the share link that a URL was issued for; none for URLs issued to a caller. */
export interface Permit {
  readonly grant?: string;
}

/**
 * Checks on every delivery that a URL is still valid: signed here, not expired, and, if it was issued for a share link,
 * that the link still opens. Every refusal has the same message, whatever the reason.
 */
@Injectable()
export class MediaPermitService {
  constructor(
    private readonly shares: ShareAccessService,
    private readonly signer: UrlSigner,
    private readonly clock: Clock,
  ) {}

  async ofFile(
    recordingId: string,
    { originalUrl, query }: Request,
    wanted: SharePermission,
  ): Promise<Permit> {
    if (!this.signer.verify(originalUrl, this.clock.now())) refuse();
    return this.ofShare(recordingId, query['share'] as string | undefined, wanted);
  }

  async ofPlaylist(recordingId: string, token: string): Promise<Permit> {
    const [, grant, signature = ''] = HLS_TOKEN.exec(token) ?? [];
    if (!this.signer.verifyToken(hlsScope(recordingId, grant), signature, this.clock.now())) refuse();
    return this.ofShare(recordingId, grant, 'view');
  }

  private async ofShare(
    recordingId: string,
    grant: string | undefined,
    wanted: SharePermission,
  ): Promise<Permit> {
    if (grant === undefined) return {};
    if (!(await this.shares.holds(recordingId, grant, wanted))) refuse();
    return { grant };
  }
}

function refuse(): never {
  throw new DomainError('FORBIDDEN', 'This URL has expired or was altered. Request a new one.');
}
