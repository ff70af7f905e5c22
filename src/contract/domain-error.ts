import { ServiceError, type ServiceErrorOptions } from '../platform/errors/service-error.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';

/** The error that services throw, with a code of the catalog. */
export class DomainError extends ServiceError {
  declare readonly code: ErrorCode;

  constructor(code: ErrorCode, message?: string, options?: ServiceErrorOptions) {
    super(code, ERROR_CATALOG[code], message, options);
  }
}

/** Returns what was found, and refuses with this code if nothing was. */
export function required<T>(found: T | null | undefined | false, code: ErrorCode, message?: string): T {
  if (found === null || found === undefined || found === false) throw new DomainError(code, message);
  return found;
}

/** Refuses what the state of things does not permit. */
export const conflict = (message: string): DomainError => new DomainError('CONFLICT', message);

/** Refuses an input; `message` begins with its name. */
export const invalid = (message: string): DomainError => new DomainError('VALIDATION_ERROR', message);
