import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ShareAccessService, type OpenShare } from '../share-access.service.js';
import { ShareContentService, type SharedContent } from './share-content.service.js';
import { ShareCookiesService } from './share-cookies.service.js';
import { SharePasswordsService, type ShareAccessToken } from './share-passwords.service.js';
import { ShareViewCountService } from './share-view-count.service.js';

/** What recipients do with a share link: open it, and give its password. */
@Injectable()
export class ShareVisitsService {
  constructor(
    private readonly access: ShareAccessService,
    private readonly passwords: SharePasswordsService,
    private readonly cookies: ShareCookiesService,
    private readonly content: ShareContentService,
    private readonly views: ShareViewCountService,
  ) {}

  /** The share behind a token, with the access token that the request carries. */
  open(token: string, request: Request): Promise<OpenShare> {
    return this.access.open(token, this.cookies.read(request));
  }

  /** Its content, with `limit` chunks of the transcript; what begins at chunk 0 counts as a view, and nothing else does. */
  async read(token: string, startChunk: number, limit: number, request: Request): Promise<SharedContent> {
    const share = await this.open(token, request);
    const content = await this.content.of(share, startChunk, limit);
    if (startChunk === 0 && request.method === 'GET') this.views.count(share.link.id);
    return content;
  }

  /** Takes the password; the access token also goes out as a cookie. */
  async unlock(token: string, password: string, response: Response): Promise<ShareAccessToken> {
    const issued = await this.passwords.unlock(token, password);
    this.cookies.write(token, issued, response);
    return issued;
  }
}
