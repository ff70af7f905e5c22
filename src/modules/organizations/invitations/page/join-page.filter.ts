import { Catch } from '@nestjs/common';
import { PageFilter, type Notice } from '../../../../platform/http/pages/page.filter.js';
import { AppLogger } from '../../../../platform/logging/app-logger.js';
import { JoinPageRenderer } from './join-page.renderer.js';

const NOTICES: Readonly<Record<number, Notice>> = {
  // The same for invitations that were accepted, withdrawn or have expired, and for those that never existed.
  404: {
    title: "This invitation isn't available",
    text: 'It may have been accepted already, expired or been withdrawn, or the address may be incomplete. Ask the person who invited you to send it again. If you have joined already and lost your API key, the operator of this service can create another one for you.',
  },
};

@Catch()
export class JoinPageFilter extends PageFilter {
  constructor(pages: JoinPageRenderer, logger: AppLogger) {
    super(pages, logger, NOTICES, 'Open the link of the invitation again to start over.');
  }
}
