import { FILE_LIMITS } from '../transcript.js';
import type { Spoken } from './captions-scanner.js';

/** `>>` at the beginning of a line or after a sentence, also escaped: another speaks. `>>>` begins another story. */
const CHANGE = /(?<=^|[\r\n]|[.?!"'”’)\]-][ \t])[ \t]*(?:>>>?|&gt;&gt;(?:&gt;)?)(?!>|&gt;)[ \t]*/g;
const BEGINS = /^(?:>>>?|&gt;&gt;(?:&gt;)?)(?!>|&gt;)/;
/** `ALICE:` or `Dr. Alice Byron (Acme):`; each word begins with a capital letter, so that `I said this: no` is text. */
const NAME = /^((?:(?:\p{Lu}|\d|[(#&])[^\s:<>]{0,39}[ \t]+){0,5}(?:\p{Lu}|[(#])[^\s:<>]{0,39}):(?:\s+|$)/u;

/**
 * Reads captions as broadcasters write them: `>> ALICE: Hello` names the speaker, who keeps speaking until the next
 * `>>`, with which another one begins. Null if the file as a whole is not like that: at least one in twenty cues must
 * begin with `>>`, two of them or one with a name, and no cue may have a voice tag.
 */
export function spokenInBroadcast(spoken: readonly Spoken[]): Spoken[] | null {
  const marked = spoken.filter(({ text }) => BEGINS.test(text));
  const isNamed = marked.some(({ text }) => NAME.test(text.replace(BEGINS, '').trimStart()));
  if (marked.length < (isNamed ? 1 : 2) || marked.length * 20 < spoken.length) return null;
  if (spoken.some(({ voice }) => voice !== null)) return null;
  let voice: string | null = null;
  const parts: Spoken[] = [];
  for (const part of spoken) {
    if (parts.length > FILE_LIMITS.segments) break;
    for (const [index, said] of part.text.split(CHANGE).entries()) {
      if (index > 0) voice = null;
      const name = index > 0 ? NAME.exec(said) : null;
      if (name) voice = name[1]!;
      const text = name ? said.slice(name[0].length) : said;
      if (text.trim() !== '') parts.push({ ...part, voice, text: text.trim() });
    }
  }
  return parts;
}
