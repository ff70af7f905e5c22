import type { OpenAI } from 'openai';
import { modelClient, type ModelServer } from '../../../../platform/models/model-client.js';
import { askChat, type ChatQuestion } from '../../../../platform/models/structured-chat.js';
import { summarizeExtractively } from '../../../../lib/extractive-summary/extractive-summary.js';
import type { Lexemes } from '../../../../lib/extractive-summary/extractive-words.js';
import type { GeneratedSummary, SummarySource } from '../../../../lib/extractive-summary/summary.js';
import { refused, shorter, TokenBudget } from './chat-budget.js';
import {
  inSequence,
  joinedMinutes,
  mergedMinutes,
  type Minutes,
  minutesOfPart,
  toSummary,
} from './chat-minutes.js';
import { Evidence } from './chat-evidence.js';
import { cutIntoParts, lengthOf } from './chat-parts.js';
import { mergeContent, mergeInstructions, notesOf, partContent, partInstructions } from './chat-prompts.js';
import { emptySummary, MERGE_REPLY, PART_REPLY } from './chat-reply.js';

/** Most characters of transcript per request: about ten thousand tokens. */
const PART = 40_000;
/** The minutes of a part have at most this fraction (1/4) of its characters, so that merging terminates. */
const NOTES_SHARE = 4;
const REPLY_BYTES = 1024 * 1024;

export interface ChatOptions {
  readonly lexemes: Lexemes;
  /** Tokens that one summary may take; null for any number. */
  readonly maxTokens: number | null;
  readonly partCharacters?: number;
  /** Time limit of one request. */
  readonly milliseconds?: number;
}

interface Work {
  readonly source: SummarySource;
  readonly evidence: Evidence;
  readonly budget: TokenBudget;
  readonly size: number;
}

/** Summarizes parts of the meeting, then their minutes; extractively what the limit on tokens leaves out. */
export class ChatSummarizer {
  private client: Promise<OpenAI> | null = null;

  constructor(
    private readonly address: ModelServer,
    private readonly options: ChatOptions,
  ) {}

  async summarize(source: SummarySource): Promise<Summary> {
    const { lexemes, maxTokens, partCharacters = PART } = this.options;
    const evidence = await Evidence.of(source, lexemes);
    const size = Math.min(partCharacters, lengthOf(source.segments));
    try {
      return await this.written({ source, evidence, budget: new TokenBudget(maxTokens), size });
    } catch (error) {
      throw (await refused(error, this.address)) ?? error;
    }
  }

  /** Starts over with smaller parts if these are too long for the server. */
  private async written(work: Work): Promise<Summary> {
    try {
      const parts = await this.minutesOfParts(work);
      const end = parts.at(-1)?.to ?? 0;
      const rest = work.source.segments.slice(end);
      if (rest.length === 0) return { made: toSummary(await this.merged(work, parts)), quotedFrom: null };
      const quoted = await summarizeExtractively({ ...work.source, segments: rest }, this.options.lexemes);
      const made = end === 0 ? quoted : inSequence(toSummary(await this.merged(work, parts)), quoted);
      return { made, quotedFrom: rest[0]!.start };
    } catch (error) {
      const size = await shorter(work.size, error);
      if (size === null) throw error;
      return this.written({ ...work, size });
    }
  }

  /** Minutes of as many parts as the budget allows; `to` is where the part ends. */
  private async minutesOfParts(work: Work): Promise<(Minutes & { readonly to: number })[]> {
    const { source, evidence, budget, size } = work;
    const parts = cutIntoParts(source.segments, size);
    const minutes: (Minutes & { readonly to: number })[] = [];
    for (const [index, part] of parts.entries()) {
      const instructions = partInstructions(source, parts.length);
      const content = partContent(source, part, index + 1, parts.length);
      if (!budget.allows(instructions + content)) break;
      const reply = await this.ask(work, { name: 'minutes', schema: PART_REPLY, instructions, content });
      minutes.push({ ...(await minutesOfPart(reply, part, evidence)), to: part.to });
    }
    return minutes;
  }

  private async merged(work: Work, minutes: readonly Minutes[]): Promise<Minutes> {
    const [first, ...others] = minutes;
    if (first && others.length === 0) return first;
    const merged: Minutes[] = [];
    for (const group of groupsOf(minutes, work.size))
      merged.push(...(group.length === 1 ? group : [await this.merge(work, group)]));
    return this.merged(work, merged);
  }

  private async merge(work: Work, group: readonly Minutes[]): Promise<Minutes> {
    const notes = group.map((one) => notesOf(one, work.size / NOTES_SHARE));
    const instructions = mergeInstructions(work.source);
    const content = mergeContent(work.source, notes);
    if (!work.budget.allows(instructions + content)) return joinedMinutes(group);
    const reply = await this.ask(work, { name: 'minutes', schema: MERGE_REPLY, instructions, content });
    return mergedMinutes(reply, group, work.evidence);
  }

  private async ask<T extends Parameters<typeof emptySummary>[0]>(
    { budget }: Work,
    question: Pick<ChatQuestion<T>, 'name' | 'schema' | 'instructions' | 'content'>,
  ): Promise<T> {
    const { milliseconds } = this.options;
    this.client ??= modelClient(this.address, {
      bytes: REPLY_BYTES,
      ...(milliseconds !== undefined && { milliseconds }),
    });
    return askChat(await this.client, this.address.model, {
      ...question,
      mistake: emptySummary,
      onUsage: (usage) => budget.spend(usage),
    });
  }
}

/** Groups minutes whose notes fit into one request, all but the last at least four, so that every round has fewer. */
function groupsOf(minutes: readonly Minutes[], size: number): Minutes[][] {
  const groups: Minutes[][] = [];
  let length = Infinity;
  for (const one of minutes) {
    const more = notesOf(one, size / NOTES_SHARE).length;
    if (length + more > size) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(one);
    length += more;
  }
  return groups;
}

export interface Summary {
  readonly made: GeneratedSummary;
  /** Second from which a limit on cost left the meeting to the extractive summarizer; null if none did. */
  readonly quotedFrom: number | null;
}
