import { z } from '../../../../lib/zod.js';

const NUMBERS = z.array(z.int()).meta({ description: 'Numbers of the segments this rests on.' });

const QUOTE = z
  .string()
  .meta({ description: 'The words that show it, word for word from one of these segments.' });

const MINUTES = {
  overview: z
    .array(z.string())
    .meta({ description: 'Paragraphs of plain text: what it was about, what came of it.' }),
  topics: z.array(
    z.object({
      title: z.string(),
      points: z.array(
        z.object({
          point: z.string().meta({ description: 'One sentence of its own.' }),
          segments: NUMBERS,
          quotes: z.array(
            z.object({
              segment: z.int().meta({ description: 'Number of the segment in which the quote begins.' }),
              quote: z.string().meta({ description: 'Word for word from there, nothing left out.' }),
            }),
          ),
        }),
      ),
    }),
  ),
};

/** The reply expected from the chat server for a part of a meeting. */
export const PART_REPLY = z.object({
  ...MINUTES,
  decisions: z.array(
    z.object({
      text: z.string().meta({ description: 'What was decided.' }),
      segments: NUMBERS,
      quote: QUOTE,
    }),
  ),
  action_items: z.array(
    z.object({
      text: z.string().meta({ description: 'What somebody is going to do.' }),
      owner: z.string().meta({ description: 'Who, by name; empty when nobody was named.' }),
      due: z
        .string()
        .meta({ description: 'When it is due, in the words of the meeting; empty when not said.' }),
      segments: NUMBERS,
      quote: QUOTE,
    }),
  ),
});

/** The reply expected for the minutes of several parts, whose decisions and action items are merged without a model. */
export const MERGE_REPLY = z.object(MINUTES);

export type PartReply = z.infer<typeof PART_REPLY>;
export type MergeReply = z.infer<typeof MERGE_REPLY>;

/** An empty reply is an error; a short one is not. */
export function emptySummary(reply: MergeReply): string | null {
  const said = reply.overview.some((paragraph) => paragraph.trim());
  return said || reply.topics.length > 0 ? null : 'overview and topics are empty';
}
