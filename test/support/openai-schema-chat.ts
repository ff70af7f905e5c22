import { Ajv, type ValidateFunction } from 'ajv';

/*
 * The parts of the published schema that matter here: `CreateChatCompletionRequest` and `CreateChatCompletionResponse`
 * with everything they reference, copied from `openapi.yaml` of https://github.com/openai/openai-openapi (commit 5780008,
 * MIT License, Copyright OpenAI), without descriptions. Two things are stricter than published: requests have no other
 * members, and the name of a schema follows its description ("a-z, A-Z, 0-9, or contain underscores and dashes, with a
 * maximum length of 64").
 */
const TEXT_PART = {
  type: 'object',
  properties: { type: { type: 'string', enum: ['text'] }, text: { type: 'string' } },
  required: ['type', 'text'],
};

const CONTENT = {
  oneOf: [{ type: 'string' }, { type: 'array', items: TEXT_PART, minItems: 1 }],
};

const SYSTEM_MESSAGE = {
  type: 'object',
  properties: {
    content: CONTENT,
    role: { type: 'string', enum: ['system'] },
    name: { type: 'string' },
  },
  required: ['content', 'role'],
};

const USER_MESSAGE = {
  type: 'object',
  properties: {
    content: CONTENT,
    role: { type: 'string', enum: ['user'] },
    name: { type: 'string' },
  },
  required: ['content', 'role'],
};

const ASSISTANT_MESSAGE = {
  type: 'object',
  properties: {
    content: {
      oneOf: [
        { type: 'string', nullable: true },
        { type: 'array', items: TEXT_PART, minItems: 1 },
      ],
    },
    refusal: { type: 'string', nullable: true },
    role: { type: 'string', enum: ['assistant'] },
    name: { type: 'string' },
  },
  required: ['role'],
};

const RESPONSE_FORMAT = {
  oneOf: [
    { type: 'object', properties: { type: { type: 'string', enum: ['text'] } }, required: ['type'] },
    { type: 'object', properties: { type: { type: 'string', enum: ['json_object'] } }, required: ['type'] },
    {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['json_schema'] },
        json_schema: {
          type: 'object',
          properties: {
            description: { type: 'string' },
            name: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
            schema: { type: 'object', additionalProperties: true },
            strict: { type: 'boolean', nullable: true, default: false },
          },
          // The published list includes `type`, which no client sends and the examples do not have.
          required: ['name'],
        },
      },
      required: ['type', 'json_schema'],
    },
  ],
};

const REQUEST = {
  type: 'object',
  properties: {
    messages: {
      type: 'array',
      minItems: 1,
      items: { oneOf: [SYSTEM_MESSAGE, USER_MESSAGE, ASSISTANT_MESSAGE] },
    },
    model: { type: 'string' },
    max_tokens: { type: 'integer', nullable: true },
    max_completion_tokens: { type: 'integer', nullable: true },
    n: { type: 'integer', minimum: 1, maximum: 128, default: 1, nullable: true },
    response_format: RESPONSE_FORMAT,
    seed: { type: 'integer', nullable: true },
    stream: { type: 'boolean', nullable: true, default: false },
    temperature: { type: 'number', minimum: 0, maximum: 2, default: 1, nullable: true },
    top_p: { type: 'number', minimum: 0, maximum: 1, default: 1, nullable: true },
  },
  required: ['model', 'messages'],
  additionalProperties: false,
};

const RESPONSE = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    choices: {
      type: 'array',
      items: {
        type: 'object',
        required: ['finish_reason', 'index', 'message', 'logprobs'],
        properties: {
          finish_reason: {
            type: 'string',
            enum: ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'],
          },
          index: { type: 'integer' },
          message: {
            type: 'object',
            properties: {
              content: { type: 'string', nullable: true },
              refusal: { type: 'string', nullable: true },
              role: { type: 'string', enum: ['assistant'] },
            },
            required: ['role', 'content', 'refusal'],
          },
          logprobs: { type: 'object', nullable: true },
        },
      },
    },
    created: { type: 'integer' },
    model: { type: 'string' },
    system_fingerprint: { type: 'string' },
    object: { type: 'string', enum: ['chat.completion'] },
    usage: {
      type: 'object',
      properties: {
        completion_tokens: { type: 'integer' },
        prompt_tokens: { type: 'integer' },
        total_tokens: { type: 'integer' },
      },
      required: ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    },
  },
  required: ['choices', 'created', 'id', 'model', 'object'],
};

const ajv = new Ajv({ allErrors: true, strict: false });
const request = ajv.compile(REQUEST);
const response = ajv.compile(RESPONSE);

/** How a request violates the published schema; null if it does not. */
export function wrongInRequest(body: unknown): string | null {
  return wrong(request, body);
}

export function wrongInResponse(body: unknown): string | null {
  return wrong(response, body);
}

function wrong(validate: ValidateFunction, body: unknown): string | null {
  return validate(body) ? null : ajv.errorsText(validate.errors, { separator: '; ' });
}

/** The subset of JSON Schema that structured output supports with `strict`; not every model supports ranges and lengths. */
const STRICT_KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'enum',
  'const',
  'anyOf',
  'description',
]);

/** Violations of the rules for strict schemas in the structured output guide, each with its path. */
export function wrongInStrictSchema(schema: unknown, place = 'schema'): string[] {
  if (typeof schema !== 'object' || schema === null) return [`${place} is no schema`];
  const { type, properties, required, additionalProperties, items, anyOf } = schema as Record<
    string,
    unknown
  >;
  const found = Object.keys(schema)
    .filter((keyword) => !STRICT_KEYWORDS.has(keyword))
    .map((keyword) => `${place} has ${keyword}`);
  if (type === 'object') {
    const members = Object.entries((properties ?? {}) as Record<string, unknown>);
    const missing = members.filter(([name]) => !(required as string[] | undefined)?.includes(name));
    if (additionalProperties !== false) found.push(`${place} takes additional properties`);
    found.push(...missing.map(([name]) => `${place}.${name} is not required`));
    for (const [name, member] of members) found.push(...wrongInStrictSchema(member, `${place}.${name}`));
  }
  if (items !== undefined) found.push(...wrongInStrictSchema(items, `${place}[]`));
  for (const one of (anyOf ?? []) as unknown[]) found.push(...wrongInStrictSchema(one, place));
  return found;
}
