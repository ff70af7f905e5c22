import { applyDecorators, HttpCode, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  ENDPOINT_INPUTS,
  inputsOf,
  IS_PUBLIC,
  type EndpointInputs,
} from '../platform/http/requests/endpoint-inputs.js';
import { WHEN_CHANGING } from '../platform/openapi/document-steps.js';
import { DecoratorError, IMPORTED_TOO_LATE } from '../platform/errors/decorator-error.js';
import { describeDeprecation, isLongEnough } from '../platform/http/replies/deprecation.js';
import { RepliesWith, type Location, type ReplyOptions } from '../platform/http/replies/reply-headers.js';
import type { Handler } from '../platform/openapi/reply.dto.js';
import { ERROR_CATALOG, type ErrorCode } from './error-catalog.js';
import { ErrorResponse } from './error-reply.dto.js';
import {
  describeScopes,
  RequiresScopes,
  ShownByScope,
  shownByScope,
  SHOWS,
  type RequiredScopes,
  type Shows,
} from './scope.decorator.js';
import { ALWAYS, errorResponses, WITH_BODY, withIdempotencyKey, WITH_KEY } from './error-responses.js';

export type EndpointOptions = DescribedOperation & (OrdinarySuccess | Creation) & (WithKey | WithoutKey);

interface WithKey {
  /** `or key`: works without an API key, too; with one, its user is the caller. */
  readonly public?: 'or key';
  /** What the API key must permit. */
  readonly scope: RequiredScopes;
}

interface WithoutKey {
  /** Takes no API key. */
  readonly public: true;
  readonly scope?: undefined;
}

interface OrdinarySuccess {
  readonly status?: 200 | 202;
  readonly location?: undefined;
  readonly mayExist?: undefined;
}

interface Creation {
  readonly status: 201;
  /**
   * Where what was created can be read: its own URL or, if it has none that takes GET, that of the resource or list it
   * is part of.
   */
  readonly location: Location;
  /** Answers 200 with what exists already (`ExistingReply`). */
  readonly mayExist?: true;
}

interface DescribedOperation {
  readonly summary: string;
  readonly description?: string;
  /** The type of `data`, or of its items with `many`; or of the messages of a stream. */
  readonly reply: Type;
  readonly many?: boolean;
  readonly pagination?: Type;
  /** The same for lists that are paged only on request. */
  readonly optionalPagination?: Type;
  /** Schemas of further members of the envelope, by name. */
  readonly beside?: Readonly<Record<string, object>>;
  /** Announced in the document and in every reply to an authenticated request; see docs/versioning.md. */
  readonly deprecated?: ReplyOptions['deprecated'];
  /** The reply has no secrets, such as signed URLs, and may be compressed (`Compresses`). */
  readonly compressed?: true;
  /** The `revision` of the reply is its `ETag`. `partial`: the reply also has what changes without it. */
  readonly etag?: ReplyOptions['etag'];
  /** Of a change whose reply shows more than what the request sent: who may read that. */
  readonly shows?: Shows;
  /** What is shown once, and what the reply to a repeated request says instead: how to get another. */
  readonly secrets?: ReplyOptions['secrets'];
  /** The operation's own error codes; those common to all operations of its kind are added. */
  readonly errors?: readonly ErrorCode[];
  /** Counts as costly (see `BUDGETS`): always, or if the body has this field. */
  readonly costly?: EndpointInputs['costly'];
  /** Never counts towards a rate limit. */
  readonly unlimited?: boolean;
  /** Reads the request body itself, such as a file. */
  readonly stream?: boolean;
  /** The bodies that such an operation accepts, by media type. */
  readonly takes?: Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;
  /** Sends messages of the type `reply` as `text/event-stream`, instead of `data`. */
  readonly messages?: true;
  /** Media types of the files it can return instead of `data`. */
  readonly files?: readonly string[];
}

/**
 * Documents an operation and sets its status: summary, response in its envelope, and every error code it can return,
 * with the messages of the error catalog. The compiler requires that the method returns what `reply` declares.
 */
export function Endpoint<Shown, Many extends boolean = false>({
  reply,
  ...given
}: EndpointOptions & { readonly reply: Type<Shown>; readonly many?: Many }) {
  return <Method extends Handler<Many extends true ? readonly Shown[] : Shown>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Method>,
  ): void => {
    const { shows } = given;
    const shown = shows && reply ? shownByScope(reply, shows) : reply;
    const options = { ...given, reply: shown } as EndpointOptions;
    const inputs: EndpointInputs = {
      ...inputsOf(target.constructor, key),
      stream: options.stream,
      public: options.public !== undefined,
      costly: options.costly,
      unlimited: options.unlimited,
      idempotent: options.public !== true && !options.stream,
    };
    const codes = [
      ...(options.public === true ? [] : WITH_KEY),
      ...(options.unlimited ? [] : ['RATE_LIMITED' as const]),
      ...(options.errors ?? []),
      ...(inputs.body || inputs.stream ? WITH_BODY : []),
      ...ALWAYS,
    ];
    const content = contents(options, `${pascalCase(key)}Response`);
    requireDefined(options, codes, (text) => new DecoratorError(target, key, text));
    applyDecorators(
      SetMetadata(ENDPOINT_INPUTS, inputs),
      HttpCode(options.status ?? 200),
      ApiOperation({
        summary: options.summary,
        description: describe(options),
        ...(options.deprecated ? { deprecated: true } : {}),
        ...(options.public === true ? { security: [] } : {}),
        ...(options.takes ? { requestBody: { required: true, content: options.takes } } : {}),
      }),
      ApiExtraModels(options.reply, ErrorResponse, ...paginationOf(options)),
      ApiResponse({
        status: options.status ?? 200,
        description: 'Success',
        ...headersOf(options),
        content,
      }),
      ...(options.mayExist ? [ApiResponse({ status: 200, description: 'It already exists', content })] : []),
      ...errorResponses(codes).map((response) => ApiResponse(response)),
      ...(inputs.idempotent ? [ApiExtension(WHEN_CHANGING, withIdempotencyKey(codes))] : []),
      RepliesWith(options),
      ...(shows === undefined ? [] : [SetMetadata(SHOWS, shows), UseInterceptors(ShownByScope)]),
      ...(options.public ? [SetMetadata(IS_PUBLIC, options.public)] : []),
      ...(options.public === 'or key' ? [ApiSecurity({})] : []),
      ...(options.scope === undefined ? [] : [RequiresScopes(options.scope)]),
    )(target, key, descriptor);
  };
}

function describe({ description, scope, shows, deprecated }: EndpointOptions): string | undefined {
  const limits =
    shows &&
    `Without the scope \`${shows.scope}\`, the reply has only ${shows.always.map((name) => `\`${name}\``).join(', ')}.`;
  const end = deprecated && describeDeprecation(deprecated);
  const scopes = scope && describeScopes(scope);
  return [end, description, scopes, limits].filter(Boolean).join('\n\n') || undefined;
}

function requireDefined(
  options: EndpointOptions,
  codes: readonly string[],
  error: (text: string) => Error,
): void {
  for (const name of ['reply', 'pagination', 'optionalPagination'] as const)
    if (name in options && options[name] === undefined)
      throw error(`\`${name}\` of its @Endpoint is undefined; ${IMPORTED_TOO_LATE}`);
  if (options.public !== true && options.scope === undefined)
    throw error(
      '`scope` of its @Endpoint is missing: take what an API key needs for it from SCOPES of src/contract/scopes.ts',
    );
  if (options.deprecated && !isLongEnough(options.deprecated))
    throw error('`deprecated` of its @Endpoint needs two dates, `sunset` at least a year after `since`');
  const unknown = codes.find((code) => !(code in ERROR_CATALOG));
  if (unknown !== undefined)
    throw error(
      `${unknown} in \`errors\` of its @Endpoint is not in ERROR_CATALOG of src/contract/error-catalog.ts: take a code that is there, or add it`,
    );
}

function headersOf({ location, etag }: EndpointOptions) {
  const headers = {
    ...(location === undefined ? {} : { Location: locationHeader(location) }),
    ...(etag ? { ETag: ETAG_HEADER } : {}),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

const ETAG_HEADER = {
  description: 'The `revision` in quotes, to be sent as `If-Match` with a change',
  schema: { type: 'string' as const, example: '"4"' },
};

/** Writes the parameters as the paths of the document have them: `/api/v1/organizations/{id}/folders`. */
const locationHeader = (location: Location) => ({
  description: `Path at which what was created can be read: \`/api/v1${location.replaceAll(/:(\w+)/g, '{$1}')}\``,
  required: true,
  schema: { type: 'string' as const, format: 'uri-reference' },
});

/** Generated clients name the types of inline schemas after their titles. */
const pascalCase = (key: string | symbol): string =>
  String(key).replace(/^./, (first) => first.toUpperCase());

function contents(options: EndpointOptions, title: string): Record<string, { schema: object }> {
  if (options.messages) return { 'text/event-stream': { schema: { $ref: getSchemaPath(options.reply) } } };
  const files = (options.files ?? []).map((type) => [type, { schema: { type: 'string' as const } }] as const);
  return { 'application/json': { schema: envelope(options, title) }, ...Object.fromEntries(files) };
}

const paginationOf = ({ pagination, optionalPagination }: EndpointOptions): Type[] =>
  [pagination, optionalPagination].filter((type) => type !== undefined);

function envelope(options: EndpointOptions, title: string) {
  const { reply, many, pagination, beside = {}, secrets } = options;
  const [paged] = paginationOf(options);
  const one = { $ref: getSchemaPath(reply) };
  return {
    title,
    type: 'object' as const,
    required: ['data', ...(pagination ? ['pagination'] : []), ...Object.keys(beside)],
    properties: {
      data: many ? { type: 'array' as const, items: one } : one,
      ...(paged ? { pagination: { $ref: getSchemaPath(paged) } } : {}),
      ...(secrets
        ? { notice: { type: 'string' as const, description: REPEATED, example: secrets.notice } }
        : {}),
      ...beside,
    },
  };
}

const REPEATED =
  'Only in the reply to a repeated request (`Idempotency-Replayed: true`), where the secret is null: how to get another';
