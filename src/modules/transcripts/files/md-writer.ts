import { clock } from './captions/captions-times.js';
import { paragraphs } from './transcript-files-paragraphs.js';
import { oneLine } from './transcript-files-text.js';
import type { TranscriptHead } from './transcript-files.js';
import type { TranscriptWriter } from './transcript-writing.js';

/** Markdown: title, metadata and paragraphs. */
export const writeMarkdown: TranscriptWriter = {
  opening: headOf,
  batch: paragraphs({
    opening: (speaker, start) => `${speaker === '' ? '' : `**${escaped(speaker)}** `}\\[${clock(start)}\\] `,
    escape: escaped,
  }),
  closing: () => '\n',
};

function headOf({ title, speakers, duration, createdAt }: TranscriptHead): string {
  const facts = [
    ...(createdAt ? [createdAt.toISOString().slice(0, 10)] : []),
    clock(duration),
    ...(speakers.length > 0 ? [speakers.map((speaker) => escaped(oneLine(speaker))).join(', ')] : []),
  ];
  return `# ${escaped(oneLine(title))}\n\n${facts.join(' · ')}\n\n`;
}

/** Characters with a meaning within a line of Markdown, including GitHub's; text never begins a line. */
const SPECIAL = /[\\`*_{}[\]<>()#!|~&$^=@]|(?<=www)\.|:(?=\/\/)/gi;

function escaped(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}
