import type { OpenAI } from 'openai';
import { modelClient, type ModelServer } from '../../../../platform/models/model-client.js';
import { askChat } from '../../../../platform/models/structured-chat.js';
import { checkSummary, citedIn, type CheckedSummary } from './chat-checks.js';
import { toSummary } from './chat-content.js';
import { isTooLong, refused } from './chat-failures.js';
import { cutIntoParts, lengthOf } from './chat-parts.js';
import { mergeContent, mergeInstructions, notesOf, partContent, partInstructions } from './chat-prompts.js';
import { emptySummary, SUMMARY_REPLY, type SummaryReply } from './chat-reply.js';
import { SummaryRefusedError } from '../summarizer.js';
import type { GeneratedSummary, SummarySource } from '../../../../lib/extractive-summary/summary.js';

/** Most characters of transcript per request: about ten thousand tokens. */
const PART = 40_000;
/** If that exceeds the server's context, smaller parts are tried, down to this. */
const SMALLEST_PART = 4_000;
/** The minutes of a part take at most one in so many of these characters, so that merging terminates. */
const NOTES_SHARE = 4;
const REPLY_BYTES = 1024 * 1024;

interface Work {
  readonly source: SummarySource;
  /** Characters per request. */
  readonly size: number;
}

/** Summarizes with a chat server: first parts of the meeting, then their minutes. Checks every citation and quote. */
export class ChatSummarizer {
  private client: Promise<OpenAI> | null = null;

  constructor(
    private readonly address: ModelServer,
    private readonly partCharacters = PART,
  ) {}

  async summarize(source: SummarySource): Promise<GeneratedSummary> {
    if (source.segments.every(({ text }) => !text.trim())) {
      throw new SummaryRefusedError('The transcript has no text to summarize.');
    }
    try {
      const size = Math.min(this.partCharacters, lengthOf(source.segments));
      return toSummary(await this.minutes({ source, size }));
    } catch (error) {
      throw (await refused(error, this.address)) ?? error;
    }
  }

  /** Minutes of the whole meeting; starts over with smaller parts if these are too long for the server. */
  private async minutes(work: Work): Promise<CheckedSummary> {
    try {
      return await this.merged(work, await this.minutesOfParts(work));
    } catch (error) {
      const size = work.size / 2;
      if (size < SMALLEST_PART || !(await isTooLong(error))) throw error;
      return this.minutes({ ...work, size });
    }
  }

  private async minutesOfParts(work: Work): Promise<CheckedSummary[]> {
    const parts = cutIntoParts(work.source.segments, work.size);
    const minutes: CheckedSummary[] = [];
    for (const [index, part] of parts.entries()) {
      const content = partContent(work.source, part, index + 1, parts.length);
      const reply = await this.ask(partInstructions(work.source, parts.length), content);
      minutes.push(checkSummary(reply, part.segments));
    }
    return minutes;
  }

  private async merged(work: Work, minutes: readonly CheckedSummary[]): Promise<CheckedSummary> {
    const [first, ...others] = minutes;
    if (first && others.length === 0) return first;
    const merged: CheckedSummary[] = [];
    for (const group of groupsOf(minutes, work.size)) {
      merged.push(...(group.length === 1 ? group : [await this.merge(work, group)]));
    }
    return this.merged(work, merged);
  }

  private async merge({ source, size }: Work, group: readonly CheckedSummary[]): Promise<CheckedSummary> {
    const notes = group.map((one) => notesOf(one, size / NOTES_SHARE));
    const reply = await this.ask(mergeInstructions(source), mergeContent(source, notes));
    const cited = citedIn(group);
    return checkSummary(reply, source.segments, (id) => cited.has(id));
  }

  private async ask(instructions: string, content: string): Promise<SummaryReply> {
    this.client ??= modelClient(this.address, { bytes: REPLY_BYTES });
    const question = { name: 'minutes', schema: SUMMARY_REPLY, instructions, content, mistake: emptySummary };
    return askChat(await this.client, this.address.model, question);
  }
}

/**
 * Groups minutes whose notes fit into one request; all groups but the last have at least four, so that every round has
 * fewer.
 */
function groupsOf(minutes: readonly CheckedSummary[], size: number): CheckedSummary[][] {
  const groups: CheckedSummary[][] = [];
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
