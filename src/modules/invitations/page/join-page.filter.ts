import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ErrorFilter } from '../../../platform/http/error.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { JoinPageRenderer } from './join-page.renderer.js';

/** The same page for invitations that were accepted, withdrawn or have expired, and for those that never existed. */
const GONE = {
  title: "This invitation isn't available",
  text: 'It may have been accepted already, expired or been withdrawn, or the address may be incomplete. Ask the person who invited you to send it again.',
};
const NOTICES: Readonly<Record<number, typeof GONE>> = {
  404: GONE,
  429: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
  500: { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' },
  503: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
};
const INVALID = { title: 'Invalid request', text: 'Open the link of the invitation again to start over.' };

/** Renders errors of the pages of invitations for people. They are logged like all others. */
@Catch()
export class JoinPageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(
    private readonly pages: JoinPageRenderer,
    logger: AppLogger,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.errors.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>(), (error, response) =>
      this.pages.send(response, error.status, 'notice', NOTICES[error.status] ?? INVALID),
    );
  }
}
