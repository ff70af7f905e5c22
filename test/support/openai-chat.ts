import type { OpenAI } from 'openai';
import { BadRequest, type ModelRequest, type ModelRoute } from './openai-server.js';

/** The parts of a chat completion request that tests use. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly json_schema: { readonly name: string; readonly schema: object } };
}

/** The only choice of a completion. */
export interface ChatChoice {
  readonly content: string | null;
  readonly refusal?: string;
  readonly finish?: 'stop' | 'length' | 'content_filter';
  /** Null: the server does not say. */
  readonly usage?: object | null;
}

/** All that is sent; the types of the library say in which form. */
const SENT = new Set(['model', 'messages', 'response_format']);

type Reply = ChatChoice | ((request: ChatRequest) => ChatChoice);

/**
 * `/chat/completions`: replies as the test specifies. Any other reply (slow, truncated, an error) is a behaviour of the
 * server.
 */
export class ChatRoute implements ModelRoute {
  readonly path = '/chat/completions';
  /** All requests, in order. */
  readonly asked: ChatRequest[] = [];
  private replies: Reply[] = [];

  /** The next replies, one per request; the last is repeated. */
  reply(...replies: Reply[]): void {
    this.replies = replies;
    this.asked.length = 0;
  }

  /** The last message of the user, that is the service, in a request. */
  lastWords(index: number): string {
    return this.asked[index]?.messages.at(-1)?.content ?? '';
  }

  async answer({ headers, body }: ModelRequest): Promise<unknown> {
    if (!headers['content-type']?.startsWith('application/json')) throw new BadRequest('not JSON');
    const request = JSON.parse(body.toString()) as ChatRequest;
    const unknown = Object.keys(request).find((name) => !SENT.has(name));
    if (unknown) throw new BadRequest(`servers differ on ${unknown}`);
    const format = request.response_format?.json_schema;
    const [strict] = format ? wrongInStrictSchema(format.schema) : [];
    if (strict) throw new BadRequest(strict);
    this.asked.push(request);
    const next = this.replies.length > 1 ? this.replies.shift() : this.replies[0];
    if (!next) throw new Error('the test provides no reply');
    return completion(request, typeof next === 'function' ? next(request) : next);
  }
}

/** A reply that is JSON. */
export function json(value: unknown): ChatChoice {
  return { content: JSON.stringify(value) };
}

/** A reply as the model writes it. */
export function written(content: string): ChatChoice {
  return { content };
}

const USAGE: OpenAI.CompletionUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

function completion(
  { model }: ChatRequest,
  { content, refusal = undefined, finish = 'stop', usage = USAGE }: ChatChoice,
): Omit<OpenAI.ChatCompletion, 'usage'> & { usage: object | null } {
  const message = { role: 'assistant', content, refusal: refusal ?? null } as const;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, finish_reason: finish, message, logprobs: null }],
    usage,
  };
}

/**
 * The subset of JSON Schema that structured output supports with `strict`; not every model supports ranges and lengths.
 */
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
function wrongInStrictSchema(schema: unknown, place = 'schema'): string[] {
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
