import { Catch } from '@nestjs/common';
import { PageFilter, type Notice } from '../../../platform/http/pages/page.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { SharePageRenderer } from './share-page.renderer.js';

const NOTICES: Readonly<Record<number, Notice>> = {
  403: { title: 'Password required', text: 'Open the share link, enter the password, and then try again.' },
  // The same for links that were revoked, have expired, are no longer allowed or never existed: it reveals nothing.
  404: {
    title: "This link isn't available",
    text: 'It may have expired or been turned off, or the address may be incomplete. Ask the person who sent it to you for a new link.',
  },
  409: { title: "The transcript isn't ready yet", text: 'Please try again in a few minutes.' },
};

@Catch()
export class SharePageFilter extends PageFilter {
  constructor(pages: SharePageRenderer, logger: AppLogger) {
    super(pages, logger, NOTICES, 'Open the share link again to start over.');
  }
}
