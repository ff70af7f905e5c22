import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { DataSource } from 'typeorm';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { sharedLimiter, takePoint } from '../../../platform/http/requests/limiters.js';
import { verifyPassword } from '../../../platform/secrets/passwords.js';
import { ShareAccessService, type ShareAccessToken } from '../access/share-access.service.js';
import { MINUTE_S } from '../../../lib/durations.js';
import { LIMITS } from '../../../contract/limits.js';

/** The cookie of browsers, for the paths of the link; API clients send the header. */
export const COOKIE = 'share_access';
const HEADER = 'X-Share-Access';

export function accessTokenOf(request: Request): string | undefined {
  return request.get(HEADER) ?? parseCookie(request.headers.cookie ?? '')[COOKIE];
}

const { count, minutes } = LIMITS.sharePasswordTries;

/**
 * Exchanges passwords of share links for access tokens: cookies for the paths of the link, or headers of API clients.
 */
@Injectable()
export class SharePasswordsService {
  private readonly limiter: RateLimiterPostgres;

  constructor(
    private readonly access: ShareAccessService,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Settings,
    dataSource: DataSource,
  ) {
    this.limiter = sharedLimiter(dataSource, {
      keyPrefix: 'sharePassword',
      points: count,
      duration: minutes * MINUTE_S,
    });
  }

  /**
   * Returns an access token and sets the cookie. 403 `SHARE_PASSWORD_WRONG`, 429 after too many wrong passwords, 409 if
   * the link has none, 503 if too many requests wait.
   */
  async unlock(token: string, password: string, response: Response): Promise<ShareAccessToken> {
    const { link } = await this.access.find(token, response.req);
    if (link.passwordHash === null) {
      throw conflict('This share link has no password and opens without one.');
    }
    // Counted before it is verified, so that concurrent attempts do not get more tries.
    await takePoint(this.limiter, link.id, 'Too many wrong passwords for this share link; see Retry-After.');
    const wrong = await this.isWrong(link.id, password, link.passwordHash);
    if (wrong) throw new DomainError('SHARE_PASSWORD_WRONG');
    const issued = this.access.issueToken(link);
    this.setCookie(token, issued, response);
    return issued;
  }

  /** Correct passwords do not count as attempts, nor do those that were not verified because too many requests wait. */
  private async isWrong(linkId: string, password: string, hash: string): Promise<boolean> {
    let wrong = false;
    try {
      wrong = !(await verifyPassword(linkId, password, hash));
      return wrong;
    } finally {
      if (!wrong) await this.limiter.reward(linkId, 1);
    }
  }

  private setCookie(token: string, { accessToken, expiresAt }: ShareAccessToken, response: Response): void {
    const secure = this.publicUrl.isSecure;
    // Required in a frame on another site; browsers accept it from secure pages only.
    const framed = secure && this.settings.shareFrameAncestors.length > 0;
    for (const path of [`/s/${token}`, `/api/v1/shares/${token}`]) {
      response.cookie(COOKIE, accessToken, {
        path: this.publicUrl.path + path,
        expires: expiresAt,
        httpOnly: true,
        secure,
        sameSite: framed ? 'none' : 'lax',
        partitioned: framed,
      });
    }
  }
}
