import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { ApiBearerAuth, ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import {
  ENDPOINT_INPUTS,
  inputsOf,
  IS_PUBLIC,
  type EndpointInputs,
} from '../platform/http/endpoint-inputs.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';
import { ErrorReply } from './error-reply.dto.js';

export interface EndpointOptions {
  readonly summary: string;
  readonly description?: string;
  readonly status?: 200 | 201 | 202;
  /** What `data` holds: one, or with `many` a list of it. */
  readonly reply: Type;
  readonly many?: boolean;
  /** Beside `data`, for paged lists. */
  readonly pagination?: Type;
  /** The operation's own error codes; those that every operation can give are added. */
  readonly errors?: readonly ErrorCode[];
  /** Works without an API key. */
  readonly public?: boolean;
  /** Takes a file: its body is left unread, however long it is. */
  readonly stream?: boolean;
  /** What such a body may be, by media type. */
  readonly takes?: Readonly<Record<string, { readonly schema: object; readonly example: unknown }>>;
  /** Media types of the files that it gives instead of `data` when asked to. */
  readonly files?: readonly string[];
}

const AUTHENTICATION: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'API_KEY_EXPIRED',
  'USER_NOT_FOUND',
  'RATE_LIMITED',
];
const ALWAYS: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

/**
 * Documents an operation and sets its status: summary, reply in its envelope, and every error code it can give, with
 * the texts of the catalog that the error filter uses.
 */
export function Endpoint(options: EndpointOptions): MethodDecorator {
  return (target, key, descriptor) => {
    const inputs: EndpointInputs = {
      ...inputsOf(target.constructor, key),
      stream: options.stream,
      public: options.public,
    };
    const codes = [...(options.public ? [] : AUTHENTICATION), ...(options.errors ?? []), ...ALWAYS];
    applyDecorators(
      SetMetadata(ENDPOINT_INPUTS, inputs),
      HttpCode(options.status ?? 200),
      ApiOperation({
        summary: options.summary,
        description: options.description,
        ...(options.takes ? { requestBody: { required: true, content: options.takes } } : {}),
      }),
      ApiExtraModels(options.reply, ErrorReply, ...(options.pagination ? [options.pagination] : [])),
      ApiResponse({ status: options.status ?? 200, description: 'Success', content: contents(options) }),
      ...errorReplies(codes),
      ...(options.public ? [SetMetadata(IS_PUBLIC, true)] : [ApiBearerAuth()]),
    )(target, key, descriptor);
  };
}

function contents(options: EndpointOptions) {
  const files = (options.files ?? []).map((type) => [type, { schema: { type: 'string' as const } }] as const);
  return { 'application/json': { schema: envelope(options) }, ...Object.fromEntries(files) };
}

function envelope({ reply, many, pagination }: EndpointOptions) {
  const one = { $ref: getSchemaPath(reply) };
  return {
    type: 'object' as const,
    required: ['data', ...(pagination ? ['pagination'] : [])],
    properties: {
      data: many ? { type: 'array' as const, items: one } : one,
      ...(pagination ? { pagination: { $ref: getSchemaPath(pagination) } } : {}),
    },
  };
}

/** One reply per status, with an example for each code that has it. */
function errorReplies(codes: readonly ErrorCode[]): MethodDecorator[] {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOG[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const own = [...new Set(codes)].filter((code) => ERROR_CATALOG[code].status === status);
    return ApiResponse({
      status,
      description: own.map((code) => `\`${code}\`: ${ERROR_CATALOG[code].when}`).join('<br>'),
      content: {
        'application/json': {
          schema: { $ref: getSchemaPath(ErrorReply) },
          examples: Object.fromEntries(own.map((code) => [code, { value: errorExample(code) }])),
        },
      },
    });
  });
}

function errorExample(code: ErrorCode) {
  const message =
    code === 'VALIDATION_ERROR' ? 'limit: must be an integer from 1 to 100' : ERROR_CATALOG[code].message;
  return { error: { code, message } };
}
