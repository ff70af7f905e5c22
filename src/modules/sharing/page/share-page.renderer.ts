import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { Eta } from 'eta';
import type { Response } from 'express';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { sendHtmlPage } from '../../../platform/http/html-page.js';
import { PROJECT_ROOT } from '../../../platform/project-root.js';
import { ShareAssetsService } from './share-assets.service.js';
import type { NoticeView, PageFrame, PasswordView, SharePageView } from './share-page.view.js';

/** The templates of `web/share`, and the data of each in addition to `PageFrame`. */
interface Pages {
  readonly page: SharePageView;
  readonly password: PasswordView;
  readonly notice: NoticeView;
}

/** Renders pages: escaped HTML, with headers that allow only what the page needs. */
@Injectable()
export class SharePageRenderer {
  private readonly templates = new Eta({ views: join(PROJECT_ROOT, 'web'), cache: true });
  private readonly frameAncestors: readonly string[];

  constructor(
    private readonly assets: ShareAssetsService,
    @Inject(SETTINGS) { shareFrameAncestors }: Settings,
  ) {
    this.frameAncestors = shareFrameAncestors;
  }

  send<Name extends keyof Pages>(
    response: Response,
    status: number,
    name: Name,
    view: Omit<Pages[Name], keyof PageFrame>,
  ): void {
    const nonce = randomBytes(16).toString('base64');
    const frame: PageFrame = {
      nonce,
      assets: {
        style: this.assets.address('share.css'),
        script: this.assets.entryUrl(),
        imports: this.assets.importedUrls(),
        player: this.assets.address('hls.js'),
      },
    };
    const html = this.templates.render(`share/${name}`, { ...view, ...frame });
    // This header cannot list sites; if there are any, browsers follow the policy instead.
    if (this.frameAncestors.length > 0) response.removeHeader('X-Frame-Options');
    else response.set('X-Frame-Options', 'DENY');
    sendHtmlPage(response, status, html, this.policy(nonce));
  }

  /** Allows the page's own scripts (imports inherit the nonce of the importing module) and styles, requests to this host, and media that the script assembles from segments. */
  private policy(nonce: string): string[] {
    return [
      `default-src 'none'`,
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      `img-src 'self' data:`,
      `media-src 'self' blob:`,
      `connect-src 'self'`,
      `base-uri 'none'`,
      `form-action 'self'`,
      `frame-ancestors ${this.frameAncestors.join(' ') || `'none'`}`,
    ];
  }
}
