import { clock } from './captions-times.js';
import type { TranscriptSegment } from './entities/transcript-chunk.entity.js';
import { paragraphsOf } from './transcript-files-paragraphs.js';
import { oneLine } from './transcript-files-text.js';
import type { TranscriptHead } from './transcript-files.js';

/** Markdown: the title, what it is of, and the paragraphs. */
export async function* writeMarkdown(
  { title, speakers, duration, createdAt }: TranscriptHead,
  batches: AsyncIterable<readonly TranscriptSegment[]>,
): AsyncGenerator<string> {
  const facts = [
    ...(createdAt ? [createdAt.toISOString().slice(0, 10)] : []),
    clock(duration),
    ...(speakers.length > 0 ? [speakers.map((speaker) => escaped(oneLine(speaker))).join(', ')] : []),
  ];
  yield `# ${escaped(oneLine(title))}\n\n${facts.join(' · ')}\n\n`;
  yield* paragraphsOf(batches, {
    opening: (speaker, start) => `${speaker === '' ? '' : `**${escaped(speaker)}** `}\\[${clock(start)}\\] `,
    escape: escaped,
  });
}

/** What means something to Markdown, also to that of GitHub, anywhere within a line; no text stands at the beginning of one. */
const SPECIAL = /[\\`*_{}[\]<>()#!|~&$^=@]|(?<=www)\.|:(?=\/\/)/gi;

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}
