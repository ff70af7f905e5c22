import { Inject, Injectable, Catch } from '@nestjs/common';
import type { Response } from 'express';
import { accentCss } from '../../../lib/accent-colors.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { logoPath } from '../../organizations/public/brand.sql.js';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { PageAssets } from '../../../platform/http/pages/page-assets.js';
import {
  PageFilter,
  sendHtmlPage,
  type Notices,
  type PageData,
} from '../../../platform/http/pages/html-page.js';
import type { PageLanguage } from '../../../platform/http/pages/page-language.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';

/** Renders templates of `web/share`, with headers that allow only what the page needs. */
@Injectable()
export class SharePageRenderer {
  constructor(
    private readonly assets: PageAssets,
    private readonly publicUrl: PublicUrl,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  send(response: Response, status: number, name: 'page' | 'password' | 'notice', view: PageData): void {
    const { accent, logo, name: owner } = response.req.brand ?? {};
    const logoUrl = logo && this.publicUrl.path + logoPath(logo);
    const brand = { css: accent && accentCss(accent), logo: logoUrl, name: owner };
    const data = { ...view, brand, assets: this.assets.addresses() };
    sendHtmlPage(response, status, `share/${name}`, data, {
      // The script assembles media from segments.
      loads: [`img-src 'self' data:`, `media-src 'self' blob:`, `connect-src 'self'`],
      framedBy: this.settings.shareFrameAncestors.join(' '),
    });
  }
}

const NOTICES: Readonly<Record<PageLanguage, Notices>> = {
  en: {
    byStatus: {
      403: {
        title: 'Password required',
        text: 'Open the share link, enter the password, and then try again.',
      },
      // The same for links that were revoked, have expired, are no longer allowed or never existed: it reveals nothing.
      404: {
        title: "This link isn't available",
        text: 'It may have expired or been turned off, or the address may be incomplete. Ask the person who sent it to you for a new link.',
      },
      409: { title: "The transcript isn't ready yet", text: 'Please try again in a few minutes.' },
    },
    otherwise: 'Open the share link again to start over.',
  },
  de: {
    byStatus: {
      403: {
        title: 'Passwort erforderlich',
        text: 'Öffnen Sie den Link, geben Sie das Passwort ein und versuchen Sie es dann erneut.',
      },
      404: {
        title: 'Dieser Link ist nicht verfügbar',
        text: 'Vielleicht ist er abgelaufen oder wurde deaktiviert, oder die Adresse ist unvollständig. Bitten Sie die Person, die ihn geschickt hat, um einen neuen Link.',
      },
      409: {
        title: 'Das Transkript ist noch nicht fertig',
        text: 'Bitte versuchen Sie es in ein paar Minuten erneut.',
      },
    },
    otherwise: 'Öffnen Sie den Link erneut, um von vorn zu beginnen.',
  },
};

@Catch()
export class SharePageFilter extends PageFilter {
  constructor(pages: SharePageRenderer, logger: AppLogger) {
    super((response, status, notice) => pages.send(response, status, 'notice', notice), logger, NOTICES);
  }
}
