import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Clock } from '../../platform/clock.js';
import { DomainError } from '../../contract/domain-error.js';
import { UrlSigner } from '../../platform/signing/url-signer.js';
import type { SharePermission } from '../sharing/entities/share-link.entity.js';
import { ShareAccessService } from '../sharing/share-access.service.js';
import { hlsScope } from '../media/media-addresses.service.js';

/** What stands in the path of a playlist: expiry and signature, before them the grant where there is one. */
const HLS_TOKEN = /^(?:([\w-]+)\.)?(\d+\.[\w-]+)$/;

/** What the holder of an address may do: the share link that it was given for, as its grant; none for a caller's own. */
export interface Permit {
  readonly grant?: string;
}

/**
 * Whether an address still serves: signed here and not expired, and if it was given for a share link, that the link
 * still opens. Asked at every delivery; whatever ended an address is told in the same words.
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
  throw new DomainError('FORBIDDEN', 'This address has expired or has been changed; ask for a new one.');
}
