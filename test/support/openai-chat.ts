import { BadRequest, type ModelRequest, type ModelRoute } from './openai-server.js';
import { wrongInRequest, wrongInResponse, wrongInStrictSchema } from './openai-schema-chat.js';

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
}

type Reply = ChatChoice | ((request: ChatRequest) => ChatChoice);

/**
 * `/chat/completions`: checks requests against the published schema, and replies as the test specifies. Any other
 * reply (slow, truncated, an error) is a behaviour of the server.
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
    const mistake = wrongInRequest(request);
    if (mistake) throw new BadRequest(mistake);
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

function completion(
  { model }: ChatRequest,
  { content, refusal = undefined, finish = 'stop' }: ChatChoice,
): unknown {
  const message = { role: 'assistant', content, refusal: refusal ?? null };
  const body = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, finish_reason: finish, message, logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
  const mistake = wrongInResponse(body);
  if (mistake) throw new Error(mistake);
  return body;
}
