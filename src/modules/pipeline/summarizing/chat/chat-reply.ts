import { z } from '../../../../lib/zod.js';

const NUMBERS = z.array(z.int()).meta({ description: 'Numbers of the segments this rests on.' });

/** The reply expected from the chat server, for a part of a meeting and for the whole. */
export const SUMMARY_REPLY = z.object({
  overview: z
    .array(z.string())
    .meta({ description: 'Paragraphs of plain text: what it was about, what came of it.' }),
  decisions: z.array(
    z.object({ text: z.string().meta({ description: 'What was decided.' }), segments: NUMBERS }),
  ),
  follow_ups: z.array(
    z.object({
      text: z.string().meta({ description: 'What somebody is going to do.' }),
      owner: z.string().meta({ description: 'Who; empty when nobody was named.' }),
      due: z
        .string()
        .meta({ description: 'When it is due, in the words of the meeting; empty when not said.' }),
      segments: NUMBERS,
    }),
  ),
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
});

export type SummaryReply = z.infer<typeof SUMMARY_REPLY>;

/** An empty reply is an error; a short one is not. */
export function emptySummary(reply: SummaryReply): string | null {
  const said = reply.overview.some((paragraph) => paragraph.trim());
  return said || reply.topics.length > 0 ? null : 'overview and topics are empty';
}
