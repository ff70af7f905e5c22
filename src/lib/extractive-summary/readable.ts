import type { Cues } from './extractive-cues.js';

/**
 * What was said as one would write it: without fillers, stutters and false starts, otherwise word for word. For text
 * that is shown; what is said about a sentence rests on its words as they were spoken.
 */
export function readable(text: string, { untidy, closed }: Cues): string {
  const said = untidy
    .reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text)
    // A full stop within a sentence is a pause.
    .replace(/(?<=\p{L}{4})\.(?=\s\p{Ll})/gu, '')
    .replace(/(?<=\s)\p{Lu}\p{Ll}*(?=\s(?!\p{Lu}))/gu, (word, at: number, all: string) =>
      // Recognizers begin anew with a capital after a pause.
      closed.has(word.toLowerCase()) && !/[.?!:…"“]\s$/u.test(all.slice(0, at)) ? word.toLowerCase() : word,
    )
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[,.;?!])/gu, '')
    .replace(/^[\s,;.]+/u, '');
  if (!/[\p{L}\p{N}]/u.test(said)) return text;
  return said.charAt(0).toUpperCase() + said.slice(1);
}
