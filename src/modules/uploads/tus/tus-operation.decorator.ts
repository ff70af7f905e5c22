import { applyDecorators } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { ErrorCode } from '../../../contract/error-catalog.js';
import { describeScopes, RequiresScopes } from '../../../contract/scope.decorator.js';
import { ErrorResponse } from '../../../contract/error-reply.dto.js';
import { ALWAYS, errorResponses, WITH_BODY, WITH_KEY } from '../../../contract/error-responses.js';
import { ApiTargetIdParam } from '../../../contract/id-param.decorator.js';
import { AcceptsStream, Public } from '../../../platform/http/requests/endpoint-inputs.js';

/** Headers of requests, as tus 1.0 has them. */
const TAKEN = {
  'Tus-Resumable': { description: 'The version of the protocol', enum: ['1.0.0'], example: '1.0.0' },
  'Upload-Length': { description: 'Size of the whole file in bytes', example: '1048576' },
  'Upload-Defer-Length': {
    description: 'In place of `Upload-Length`, if the size is not known yet',
    enum: ['1'],
  },
  'Upload-Metadata': {
    description:
      'The fields of `POST /recordings` but `content_type`, `size`, `media` and `source_url`, each with its value in Base64, separated by commas. Without a `title`, `filename` or `name` is taken',
    example: 'title V2Vla2x5IHN5bmM=',
  },
  'Upload-Offset': {
    description: 'Where the bytes of the body start: the number that is stored',
    example: '0',
  },
} as const;

/** Headers of replies. */
const RETURNED = {
  'Tus-Resumable': 'The version of the protocol',
  'Tus-Version': 'The versions that are supported',
  'Tus-Extension': 'The extensions that are supported',
  'Tus-Max-Size': 'The largest file, in bytes',
  Location: 'URL of the upload',
  'Upload-Offset': 'How many bytes are stored, for good',
  'Upload-Length': 'Size of the whole file in bytes, once it is known',
  'Upload-Defer-Length': '`1` as long as the size is not known',
  'Upload-Metadata': 'As it was sent',
} as const;

/** The scope of all operations of an upload. */
const SCOPE = 'recordings:write';

const CODES_OF_CALLER: readonly ErrorCode[] = [...WITH_KEY, 'PRECONDITION_FAILED'];

interface TusOperationOptions {
  readonly summary: string;
  readonly description?: string;
  readonly status: 200 | 201 | 204;
  /** Headers of the request besides `Tus-Resumable`; whether each is required. */
  readonly takes?: Partial<Record<keyof typeof TAKEN, 'required' | 'optional'>>;
  readonly returns: readonly (keyof typeof RETURNED)[];
  readonly body?: 'required' | 'optional';
  readonly public?: true;
  readonly costly?: true;
  readonly errors?: readonly ErrorCode[];
}

/** Documents an operation of tus 1.0, whose replies have headers in place of a body. */
export function TusOperation(options: TusOperationOptions): MethodDecorator {
  const { summary, description, status, returns, body } = options;
  const takes = { ...(options.public ? {} : { 'Tus-Resumable': 'required' }), ...options.takes };
  const codes = [
    ...(options.public ? [] : CODES_OF_CALLER),
    'RATE_LIMITED' as const,
    ...(options.errors ?? []),
    ...(body ? WITH_BODY : []),
    ...ALWAYS,
  ];
  const bytes = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return applyDecorators(
    ApiOperation({
      summary,
      description: options.public
        ? description
        : [description, describeScopes(SCOPE)].filter(Boolean).join('\n\n'),
      ...(options.public ? { security: [] } : {}),
      ...(body ? { requestBody: { required: body === 'required', content: bytes } } : {}),
    }),
    ...Object.entries(takes).map(([name, need]) => {
      const { description: about, ...schema } = TAKEN[name as keyof typeof TAKEN];
      return ApiHeader({
        name,
        description: about,
        required: need === 'required',
        schema: { type: 'string', ...schema, enum: 'enum' in schema ? [...schema.enum] : undefined },
      });
    }),
    ApiExtraModels(ErrorResponse),
    ApiResponse({
      status,
      description: 'Success',
      headers: Object.fromEntries(
        ['Tus-Resumable' as const, ...returns].map((name) => [
          name,
          { description: RETURNED[name], schema: { type: 'string' as const } },
        ]),
      ),
    }),
    ...errorResponses(codes).map((response) => ApiResponse(response)),
    AcceptsStream({ costly: options.costly }),
    options.public ? Public() : RequiresScopes(SCOPE),
  );
}

export const TusUploadOperation = (options: TusOperationOptions): MethodDecorator =>
  applyDecorators(TusOperation(options), ApiTargetIdParam('recording'));
