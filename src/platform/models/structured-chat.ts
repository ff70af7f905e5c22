import { isNativeError } from 'node:util/types';
import type { OpenAI } from 'openai';
import { z } from '../../lib/zod.js';
import { countTokens, observed } from '../telemetry/observed.js';

export interface ChatQuestion<T> {
  /** Name of the schema: letters, digits, `_` and `-`. */
  readonly name: string;
  /** All members must be required, as structured output demands; lengths are checked by the caller. */
  readonly schema: z.ZodType<T>;
  readonly instructions: string;
  readonly content: string;
  /** What is wrong with a reply that matches the schema, as feedback for the model; null if it is good. */
  readonly mistake?: (reply: T) => string | null;
  /** Called after each reply, good or bad. */
  readonly onUsage?: (usage: ChatUsage) => void;
}

/** What one request took. */
export interface ChatUsage {
  readonly prompt: string;
  readonly reply: string;
  /** As the server counts them; null if it does not say. */
  readonly promptTokens: number | null;
  readonly replyTokens: number | null;
}

export type BadReply = 'cut-off' | 'refused' | 'unusable';

/** The server replied twice, but neither reply could be used. */
export class BadReplyError extends Error {
  constructor(
    readonly kind: BadReply,
    message: string,
  ) {
    super(message);
    this.name = 'BadReplyError';
  }
}

const COMPLETION = z.object({
  // Only one choice was requested.
  choices: z
    .tuple([
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    ])
    .rest(z.unknown()),
});

const TOKENS = z.int().min(0).nullish().catch(null);
const USAGE = z.object({ usage: z.object({ prompt_tokens: TOKENS, completion_tokens: TOKENS }) });

/** Longer replies are not repeated to the model. */
const MAX_REPEATED = 20_000;
const PLACEHOLDER = '(no usable reply)';

/** The name of the server in metrics. */
const CHAT = 'chat';

type Messages = OpenAI.ChatCompletionMessageParam[];

/**
 * Asks for a reply that matches `schema`, and after a bad one once more. Throws `BadReplyError` if that is bad too.
 * Sends no sampling options and no token limit: servers disagree on their names and values.
 */
export async function askChat<T>(
  client: OpenAI,
  model: string,
  question: ChatQuestion<T>,
  signal?: AbortSignal,
): Promise<T> {
  const messages: Messages = [
    { role: 'system', content: question.instructions },
    { role: 'user', content: question.content },
  ];
  const first = await ask(client, model, question, messages, signal);
  if ('value' in first) return first.value;
  const repeated = first.text && first.text.length <= MAX_REPEATED ? first.text : PLACEHOLDER;
  messages.push(
    { role: 'assistant', content: repeated },
    {
      role: 'user',
      content: `That reply cannot be used: ${first.mistake}. Reply again, following the original instructions.`,
    },
  );
  const second = await ask(client, model, question, messages, signal);
  if ('value' in second) return second.value;
  throw new BadReplyError(second.kind, `The reply of the chat server cannot be used: ${second.mistake}.`);
}

type Outcome<T> =
  { readonly value: T } | { readonly kind: BadReply; readonly mistake: string; readonly text?: string };

async function ask<T>(
  client: OpenAI,
  model: string,
  question: ChatQuestion<T>,
  messages: Messages,
  signal?: AbortSignal,
): Promise<Outcome<T>> {
  const schema = strictSchema(question.schema);
  const completion: unknown = await observed('model', CHAT, () =>
    client.chat.completions.create(
      {
        model,
        messages,
        response_format: { type: 'json_schema', json_schema: { name: question.name, strict: true, schema } },
      },
      { signal },
    ),
  )
    // The library rethrows the error of JSON.parse if the body is not JSON.
    .catch((error: unknown) => {
      if (isNativeError(error) && error.name === 'SyntaxError') return null;
      throw error;
    });
  const usage = usageOf(completion, messages);
  countTokens(CHAT, usage.promptTokens ?? 0, usage.replyTokens ?? 0);
  question.onUsage?.(usage);
  return read(completion, question);
}

function usageOf(completion: unknown, messages: Messages): ChatUsage {
  const reply = COMPLETION.safeParse(completion).data?.choices[0].message.content ?? '';
  const usage = USAGE.safeParse(completion).data?.usage;
  return {
    prompt: messages.map(({ content }) => content).join('\n'),
    reply,
    promptTokens: usage?.prompt_tokens ?? null,
    replyTokens: usage?.completion_tokens ?? null,
  };
}

function read<T>(completion: unknown, { schema, mistake }: ChatQuestion<T>): Outcome<T> {
  const parsed = COMPLETION.safeParse(completion);
  if (!parsed.success) return { kind: 'unusable', mistake: 'it is not a chat completion' };
  const [{ finish_reason: end, message }] = parsed.data.choices;
  if (message.refusal || end === 'content_filter') return { kind: 'refused', mistake: 'it is a refusal' };
  const text = message.content?.trim();
  if (end === 'length') return { kind: 'cut-off', mistake: 'it is too long and was cut off', text };
  if (!text) return { kind: 'unusable', mistake: 'it is empty' };
  try {
    const reply = schema.safeParse(replyJson(text));
    if (!reply.success) return { kind: 'unusable', mistake: mismatch(reply.error), text };
    const wrong = mistake?.(reply.data) ?? null;
    return wrong === null ? { value: reply.data } : { kind: 'unusable', mistake: wrong, text };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'unusable', mistake: 'it is not a single JSON object', text };
  }
}

function mismatch({ issues }: z.ZodError): string {
  const first = issues.slice(0, 3).map(({ path, message }) => `${path.join('.') || 'reply'}: ${message}`);
  return `it does not match the schema (${first.join('; ')})`;
}

/** JSON schema in the subset that structured output supports: no ranges. */
function strictSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return rest;
}

const THOUGHT_END = '</think>';

/** The JSON object in a model's output, without reasoning, fences and sentences around it. Throws `SyntaxError`. */
function replyJson(text: string): unknown {
  const reply = withoutThoughts(text.trim());
  const [from, to] = [reply.indexOf('{'), reply.lastIndexOf('}')];
  if (from === -1 || to < from) throw new SyntaxError('there is no JSON object');
  return JSON.parse(reply.slice(from, to + 1)) as unknown;
}

/** Reasoning comes first, sometimes without its opening tag; output that starts as JSON has none. */
function withoutThoughts(text: string): string {
  if (text.startsWith('{')) return text;
  const end = text.indexOf(THOUGHT_END);
  return end === -1 ? text : text.slice(end + THOUGHT_END.length);
}
