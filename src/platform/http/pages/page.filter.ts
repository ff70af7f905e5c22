import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { AppLogger } from '../../logging/app-logger.js';
import { ErrorFilter } from '../replies/error.filter.js';

/** A page with only a message. */
export interface Notice {
  readonly title: string;
  readonly text: string;
}

const COMMON: Readonly<Record<number, Notice>> = {
  429: { title: 'Too many requests', text: 'Please wait a minute, and then try again.' },
  500: { title: 'Something went wrong', text: 'The problem is on our end. Please try again later.' },
  503: { title: 'Temporarily unavailable', text: 'Please try again in a minute.' },
};

/** Renders errors of pages for people, by status; `otherwise`: for any other. They are logged like all others. */
export abstract class PageFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  protected constructor(
    logger: AppLogger,
    private readonly notices: Readonly<Record<number, Notice>>,
    private readonly otherwise: string,
  ) {
    this.errors = new ErrorFilter(logger);
  }

  protected abstract send(response: Response, status: number, notice: Notice): void;

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const other = { title: 'Invalid request', text: this.otherwise };
    this.errors.answer(thrown, http.getRequest<Request>(), http.getResponse<Response>(), (error, response) =>
      this.send(response, error.status, this.notices[error.status] ?? COMMON[error.status] ?? other),
    );
  }
}
