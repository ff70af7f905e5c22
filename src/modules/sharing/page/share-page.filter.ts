import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFilter } from '../../../platform/http/error.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { SharePageRenderer } from './share-page.renderer.js';

/** The same for a link that was revoked, has expired, is not allowed any more or never was: it gives nothing away. */
const GONE = {
  title: 'This link does not open',
  text: 'It may have been withdrawn or have expired, or a part of the address is missing. Ask whoever sent it to you for a new one.',
};
const AWAY = { title: 'Not available right now', text: 'Please try again in a minute.' };
const BROKEN = { title: 'Something went wrong', text: 'That was our mistake. Please try again later.' };
const ODD = { title: 'That did not work', text: 'The browser sent something that this page does not take.' };

const PROTECTED = {
  title: 'Protected by a password',
  text: 'Open the link itself and enter the password first.',
};

const EARLY = { title: 'The transcript is not there yet', text: 'Please try again in a few minutes.' };

const NOTICES: Readonly<Record<number, typeof GONE>> = {
  403: PROTECTED,
  404: GONE,
  409: EARLY,
  500: BROKEN,
  503: AWAY,
};

/** Errors of share pages, in words for people; logged like all others. */
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
