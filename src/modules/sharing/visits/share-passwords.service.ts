import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { DataSource } from 'typeorm';
import { DomainError } from '../../../contract/domain-error.js';
import { sharedLimiter, takePoint } from '../../../platform/http/rate-limit.js';
import { verifyPassword } from '../../../platform/passwords.js';
import { ShareAccessService } from '../share-access.service.js';

/** Most wrong passwords for one link in so many seconds, from all clients and over all processes. */
const TRIES = 10;
const WITHIN_S = 600;

export interface ShareAccessToken {
  readonly accessToken: string;
  readonly expiresAt: Date;
}

/** Exchanges passwords of share links for access tokens. */
@Injectable()
export class SharePasswordsService {
  private readonly limiter: RateLimiterPostgres;

  constructor(
    private readonly access: ShareAccessService,
    @InjectDataSource() dataSource: DataSource,
  ) {
    this.limiter = sharedLimiter(dataSource, {
      keyPrefix: 'sharePassword',
      points: TRIES,
      duration: WITHIN_S,
    });
  }

  /** 403 `SHARE_PASSWORD_WRONG`, 429 after too many wrong passwords, 409 if the link has none, 503 if too many requests wait. */
  async unlock(token: string, password: string): Promise<ShareAccessToken> {
    const { link } = await this.access.find(token);
    if (link.passwordHash === null) {
      throw new DomainError('CONFLICT', 'This share link has no password and opens without one.');
    }
    // Counted before it is verified, so that concurrent attempts do not get more tries.
    await takePoint(this.limiter, link.id, 'Too many wrong passwords for this share link; see Retry-After.');
    const wrong = await this.isWrong(link.id, password, link.passwordHash);
    if (wrong) throw new DomainError('SHARE_PASSWORD_WRONG');
    return this.access.issueToken(link);
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
}
