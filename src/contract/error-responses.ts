import { getSchemaPath } from '@nestjs/swagger';
import { IDEMPOTENCY_KEY_PARAMETER } from '../platform/openapi/document-steps.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';
import { ErrorResponse } from './error-reply.dto.js';
import { LIMITS } from './limits.js';

/** Every key may lack the scope, hence `FORBIDDEN`; checking one reads the database, hence `SERVICE_UNAVAILABLE`. */
export const WITH_KEY: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'TOKEN_EXPIRED',
  'SESSION_ENDED',
  'INVALID_TOKEN',
  'USER_NOT_FOUND',
  'FORBIDDEN',
  'SERVICE_UNAVAILABLE',
];
/** What an operation adds that opens a recording for one of its features. */
export const RECORDING_REFUSALS = [
  'RECORDING_NOT_FOUND',
  'ORGANIZATION_SUBSCRIPTION_EXPIRED',
  'RECORDING_LOCKED',
] as const satisfies readonly ErrorCode[];
export const WITH_BODY: readonly ErrorCode[] = [
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = [
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_REPLY_LOST',
];
export const ALWAYS: readonly ErrorCode[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR'];

/** One response per status, with a line and an example for each of its codes. */
export function errorResponses(codes: readonly ErrorCode[]) {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOG[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const own = [...new Set(codes)].filter((code) => ERROR_CATALOG[code].status === status);
    const lines = own.map((code) => `\`${code}\`: ${ERROR_CATALOG[code].when}`);
    return {
      status,
      description: lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join('\n'),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorResponse) },
          examples: Object.fromEntries(own.map((code) => [code, { value: errorExample(code) }])),
        },
      },
    };
  });
}

/**
 * What an operation has in addition if its method is POST or PATCH, which is not known to a decorator below `@Post()`.
 */
export function withIdempotencyKey(codes: readonly ErrorCode[]) {
  const responses = errorResponses([...codes, ...WITH_IDEMPOTENCY_KEY]);
  return {
    parameters: [IDEMPOTENCY_KEY_PARAMETER],
    responses: Object.fromEntries(responses.map(({ status, ...response }) => [status, response])),
  };
}

function errorExample(code: ErrorCode) {
  const message =
    code === 'VALIDATION_ERROR'
      ? `limit: must be an integer from ${LIMITS.page.min} to ${LIMITS.page.max}`
      : ERROR_CATALOG[code].message;
  return { error: { code, message } };
}
