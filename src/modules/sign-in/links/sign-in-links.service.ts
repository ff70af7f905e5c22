import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { conflict, DomainError } from '../../../contract/domain-error.js';
import { originOf } from '../../../platform/http/requests/client-address.js';
import { isFromHost, LOOPBACK_HOST } from '../../../platform/http/requests/own-host.js';
import { RequestLimits } from '../../../platform/http/requests/request-limits.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { SecurityEventsService } from '../../audit/security-events.service.js';
import type { User } from '../../users/entities/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { OneTimeSecretsService } from '../one-time-secrets.service.js';
import { SignInService } from '../sign-in.service.js';
import { issueLink, type LinkDetails } from './sign-in-link.js';

/** Links that sign their holder in, once: by mail, or printed on the host. */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly secrets: OneTimeSecretsService,
    private readonly users: UsersService,
    private readonly signIn: SignInService,
    private readonly securityEvents: SecurityEventsService,
    private readonly limits: RequestLimits,
    private readonly publicUrl: PublicUrl,
  ) {}

  /** Returns the URL of a link for an email. */
  async issueForMail(user: User): Promise<string> {
    return this.publicUrl.resolve(await issueLink(this.secrets, user, { way: 'mail' }));
  }

  /** Returns the URL of a link that works only on this host; null if the service is reached under another name. */
  async issueForHost(userId: string): Promise<string | null> {
    if (!LOOPBACK_HOST.test(new URL(this.publicUrl.base).hostname)) return null;
    const user = await this.users.get(userId);
    return this.publicUrl.resolve(await issueLink(this.secrets, user, { way: 'link', loopback: true }));
  }

  /**
   * Returns whom a link signs in, and whether it works only on this host; the link stays as it is. 404 `NOT_FOUND`,
   * counted like wrong keys, if it does not work; 409 `CONFLICT` for one that works only on the host.
   */
  async find(
    token: string,
    request: Request,
    response: Response,
  ): Promise<{ readonly user: User; readonly loopback: boolean }> {
    const link = await this.secrets.find('link', token);
    if (!link?.userId) return this.refuse(request, response);
    const { loopback = false } = link.details as LinkDetails;
    if (loopback && !isFromHost(request)) throw conflict('This link works only on the host.');
    return { user: await this.users.get(link.userId), loopback };
  }

  /** Uses a link up, and signs its holder in. The same errors. */
  async open(token: string, request: Request, response: Response): Promise<void> {
    const { user } = await this.find(token, request, response);
    const link = await this.secrets.take('link', token);
    // Of two requests at once, the other one has it.
    if (!link) return this.refuse(request, response);
    const { way } = link.details as LinkDetails;
    await this.signIn.signIn({ userId: user.id, way }, request, response);
  }

  private async refuse(request: Request, response: Response): Promise<never> {
    this.securityEvents.wayInRefused({ way: 'link' }, originOf(request), 'NOT_FOUND');
    await this.limits.countWrongKey(request, response);
    throw new DomainError('NOT_FOUND');
  }
}
