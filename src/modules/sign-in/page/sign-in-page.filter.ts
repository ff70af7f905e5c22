import { Catch } from '@nestjs/common';
import { CardPages } from '../../../platform/http/pages/card-pages.js';
import { PageFilter } from '../../../platform/http/pages/html-page.js';
import { PublicUrl } from '../../../platform/http/server/public-url.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { NOTICES, WORDING } from './sign-in.wording.js';

@Catch()
export class SignInPageFilter extends PageFilter {
  constructor(pages: CardPages, publicUrl: PublicUrl, logger: AppLogger) {
    super(
      (response, status, notice) => {
        const link = { href: `${publicUrl.path}/sign-in`, label: WORDING[notice.language].signIn };
        pages.send(response, status, 'join/notice', { ...notice, link });
      },
      logger,
      NOTICES,
    );
  }
}
