import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFilter } from '../../../platform/http/error.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { SharePageRenderer } from './share-page.renderer.js';

/** The same page for links that were revoked, have expired, are no longer allowed or never existed. It reveals nothing. */
const GONE = {
  title: "This link isn't available",
  text: 'It may have expired or been turned off, or the address may be incomplete. Ask the person who sent it to you for a new link.',
};
const MANY = { title: 'Too many requests', text: 'Please wait a minute, and then try again.' };
const AWAY = { title: 'Temporarily unavailable', text: 'Please try again in a minute.' };
const BROKEN = { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' };
const ODD = { title: 'Invalid request', text: 'Open the share link again to start over.' };

const PROTECTED = {
  title: 'Password required',
  text: 'Open the share link, enter the password, and then try again.',
};

const EARLY = { title: "The transcript isn't ready yet", text: 'Please try again in a few minutes.' };

const NOTICES: Readonly<Record<number, typeof GONE>> = {
  403: PROTECTED,
  404: GONE,
  409: EARLY,
  429: MANY,
  500: BROKEN,
  503: AWAY,
};

/** Renders errors of share pages for people. They are logged like all others. */
@Catch()
export class SharePageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(
    private readonly pages: SharePageRenderer,
    logger: AppLogger,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.errors.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>(), (error, response) =>
      this.pages.send(response, error.status, 'notice', NOTICES[error.status] ?? ODD),
    );
  }
}
