import type { OpenAPIObject } from '@nestjs/swagger';
import { IDEMPOTENCY_LIMITS } from '../idempotency/idempotency-limits.js';

/**
 * Extension of an operation with what it has in addition if its method is POST or PATCH; not in the finished document.
 */
export const WHEN_CHANGING = 'x-when-changing';

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A value of your choice, such as a UUID, to send the request again safely: within 24 hours, the same request with the same key and API key gets the same reply and is not carried out again.',
  schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_LIMITS.keyLength },
} as const;

interface Operation {
  [WHEN_CHANGING]?: Pick<Operation, 'parameters' | 'responses'>;
  parameters?: object[];
  responses?: Record<string, object>;
}

/** Adds the header and its errors to every POST and PATCH that takes it. */
export function documentIdempotencyKeys({ paths }: OpenAPIObject): void {
  for (const path of Object.values(paths)) {
    for (const [method, documented] of Object.entries(path)) {
      const operation = documented as Operation;
      const { parameters = [], responses = {} } = operation[WHEN_CHANGING] ?? {};
      delete operation[WHEN_CHANGING];
      if (method !== 'post' && method !== 'patch') continue;
      operation.parameters = [...(operation.parameters ?? []), ...parameters];
      operation.responses = { ...operation.responses, ...responses };
    }
  }
}
