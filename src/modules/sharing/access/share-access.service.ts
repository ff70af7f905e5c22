import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource } from 'typeorm';
import { DomainError, required } from '../../../contract/domain-error.js';
import { Clock } from '../../../platform/clock/clock.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { isUuid } from '../../../platform/ids.js';
import { hashSecret } from '../../../platform/secrets/secrets.js';
import { UrlSigner } from '../../../platform/secrets/url-signer.js';
import { isExpired } from '../../../policy/share-links.js';
import type { ExtraColumns } from '../../recordings/access/public/columns.js';
import { RecordingAccessService } from '../../recordings/access/recording-access.service.js';
import { grantOf, type OpenLink, type OpenShare } from './public/open-share.js';
import { findLink } from './share-links.hot.sql.js';
import { HOUR_MS } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** A token that replaces the password of a link. */
export interface ShareAccessToken {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

const GONE = 'This share link does not exist or no longer works: it may have expired or been revoked.';

/**
 * The only way to a recording through a share link. Every view checks the link, plan, subscription and the feature
 * flags of organization and creator; every refusal is the same 404, as it is at the domain of another organization.
 */
@Injectable()
export class ShareAccessService {
  constructor(
    private readonly access: RecordingAccessService,
    private readonly signer: UrlSigner,
    private readonly dataSource: DataSource,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** Opens a link by its token and, if it has a password, `accessToken`; 403 `SHARE_PASSWORD_REQUIRED` without one. */
  async open<Columns>(
    token: string,
    request: Request,
    accessToken: string | undefined,
    extraColumns?: ExtraColumns<Columns>,
  ): Promise<OpenShare<Columns>> {
    const share = await this.find(token, request, extraColumns);
    const { link } = share;
    const isUnlocked =
      accessToken !== undefined && this.signer.verifyToken(accessScope(link), accessToken, this.clock.now());
    if (link.passwordHash !== null && !isUnlocked) throw new DomainError('SHARE_PASSWORD_REQUIRED');
    return share;
  }

  /** Opens a link without checking the password. */
  async find<Columns>(
    token: string,
    request: Request,
    extraColumns?: ExtraColumns<Columns>,
  ): Promise<OpenShare<Columns>> {
    const link = await findLink(
      this.dataSource,
      'token',
      hashSecret(token),
      this.publicUrl.otherHost(request),
    );
    const share = required(await this.openLink(link, extraColumns), 'NOT_FOUND', GONE);
    request.brand = share.link.brand;
    return share;
  }

  /**
   * Opens a link by what media URLs of the recording are signed for (`grantOf`); null if these are no longer to be
   * delivered.
   */
  async findByGrant<Columns>(
    recordingId: string,
    grant: string,
    extraColumns: ExtraColumns<Columns>,
  ): Promise<OpenShare<Columns> | null> {
    const [id = ''] = grant.split('_');
    if (!isUuid(id)) return null;
    const link = await findLink(this.dataSource, 'id', id);
    return link?.recordingId === recordingId && grantOf(link) === grant
      ? this.openLink(link, extraColumns)
      : null;
  }

  /** A token for `LIMITS.shareAccessHours`, at most until the link expires or its password changes. */
  issueToken(link: OpenLink): ShareAccessToken {
    const end = this.clock.now().getTime() + LIMITS.shareAccessHours * HOUR_MS;
    const expiresAt = new Date(Math.min(end, link.expiresAt?.getTime() ?? end));
    return { accessToken: this.signer.token(accessScope(link), expiresAt), expiresAt };
  }

  private async openLink<Columns>(
    link: OpenLink | undefined,
    extraColumns?: ExtraColumns<Columns>,
  ): Promise<OpenShare<Columns> | null> {
    if (!link || isExpired(link, this.clock.now())) return null;
    const recording = await this.access.findShared(link, extraColumns);
    return recording && { link, recording };
  }
}

const accessScope = (link: OpenLink): string => `/s/${grantOf(link)}`;
