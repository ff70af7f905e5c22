import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ShareAccessService, type OpenShare } from '../share-access.service.js';
import { ShareContentService, type SharedContent } from './share-content.service.js';
import { ShareCookiesService } from './share-cookies.service.js';
import { SharePasswordsService, type ShareAccessToken } from './share-passwords.service.js';
import { ShareViewCountService } from './share-view-count.service.js';

/** Opens share links for recipients, and takes their passwords. */
@Injectable()
export class ShareVisitsService {
  constructor(
    private readonly access: ShareAccessService,
    private readonly passwords: SharePasswordsService,
    private readonly cookies: ShareCookiesService,
    private readonly content: ShareContentService,
    private readonly views: ShareViewCountService,
  ) {}

  /** Opens a link with the access token of the request. */
  open(token: string, request: Request): Promise<OpenShare> {
    return this.access.open(token, this.cookies.read(request));
  }

  /** Its content, with `limit` chunks of the transcript. Only requests that start at chunk 0 count as views. */
  async read(token: string, startChunk: number, limit: number, request: Request): Promise<SharedContent> {
    const share = await this.open(token, request);
    const content = await this.content.of(share, startChunk, limit);
    if (startChunk === 0 && request.method === 'GET') this.views.count(share.link.id);
    return content;
  }

  /** Exchanges the password for an access token, which is also set as a cookie. */
  async unlock(token: string, password: string, response: Response): Promise<ShareAccessToken> {
    const issued = await this.passwords.unlock(token, password);
    this.cookies.write(token, issued, response);
    return issued;
  }
}
