import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import type { Response } from 'express';
import { sendHtmlPage } from '../../../platform/http/html-page.js';
import { PROJECT_ROOT } from '../../../platform/project-root.js';
import { ShareAssetsService } from '../../sharing/page/share-assets.service.js';
import type { InvitationView, JoinedView, NoticeView, PageFrame } from './join-page.view.js';

/** The templates of `web/join`, and the data of each in addition to `PageFrame`. */
interface Pages {
  readonly invitation: InvitationView;
  readonly joined: JoinedView;
  readonly notice: NoticeView;
}

/** Renders the pages of an invitation, in the style of share pages: escaped HTML that nothing may frame. */
@Injectable()
export class JoinPageRenderer {
  private readonly templates = new Eta({ views: join(PROJECT_ROOT, 'web'), cache: true });

  constructor(private readonly assets: ShareAssetsService) {}

  send<Name extends keyof Pages>(
    response: Response,
    status: number,
    name: Name,
    view: Omit<Pages[Name], keyof PageFrame>,
  ): void {
    const nonce = randomBytes(16).toString('base64');
    const frame: PageFrame = { nonce, assets: { style: this.assets.address('share.css') } };
    const html = this.templates.render(`join/${name}`, { ...view, ...frame });
    response.set('X-Frame-Options', 'DENY');
    sendHtmlPage(response, status, html, [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src data:`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors 'none'`,
    ]);
  }
}
