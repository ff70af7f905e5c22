import { ServiceError, type ServiceErrorOptions } from '../platform/errors/service-error.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';

/** The error that services throw, with a code of the catalog. */
export class DomainError extends ServiceError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message?: string, options?: ServiceErrorOptions) {
    super(code, ERROR_CATALOG[code], message, options);
  }
}
