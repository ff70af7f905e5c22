import { Catch, Inject, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import SCIMMY from 'scimmy';
import { SETTINGS, type Settings } from '../../../platform/config/settings.js';
import { ErrorFilter } from '../../../platform/http/replies/error.filter.js';
import { AppLogger } from '../../../platform/logging/app-logger.js';
import { ERROR_MESSAGE } from './scim-protocol.js';

export const SCIM_TYPE = 'application/scim+json';

/** Errors as SCIM has them (RFC 7644, 3.12), with the messages of the service; what is unexpected is only logged. */
@Catch()
export class ScimFilter implements ExceptionFilter {
  private readonly errors: ErrorFilter;

  constructor(logger: AppLogger, @Inject(SETTINGS) { adviceContact }: Settings) {
    this.errors = new ErrorFilter(logger, adviceContact);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    if (!(thrown instanceof SCIMMY.Types.Error))
      return this.errors.reply(thrown, host, ({ status, message }, response) =>
        send(response, { status, scimType: status === 400 ? kindOf(message) : '', message }),
      );
    http.getRequest<Request>().errorCode = thrown.scimType || 'NOT_FOUND';
    send(http.getResponse<Response>(), thrown);
  }
}

/** What is wrong with a request before it is read by the protocol: its body, or something else. */
const kindOf = (message: string): string => (message.startsWith('body:') ? 'invalidSyntax' : 'invalidValue');

function send(
  response: Response,
  { status, scimType, message }: Pick<SCIMMY.Types.SCIMError, 'status' | 'scimType' | 'message'>,
): void {
  const type = scimType ? { scimType } : {};
  response.status(status).type(SCIM_TYPE);
  response.send(
    JSON.stringify({ schemas: [ERROR_MESSAGE], status: String(status), ...type, detail: message }),
  );
}
