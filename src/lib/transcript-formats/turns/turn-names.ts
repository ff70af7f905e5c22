import { linesIn, withoutJoiners } from '../transcript-text.js';
import { isMarked, isNameLike, labelReader } from '../speaker-labels.js';
import { isFurniture } from './turn-lines.js';
import type { Turn } from '../transcript-draft.js';

/** A turn with the name in its line; null if there is none. */
export type FoundTurn = Turn & { readonly name: string | null };

/** How many turns of a file must be alike for it to be written like that. */
const most = (count: number, of: number): boolean => count > 0 && count >= of * 0.8;

/** A label in bold type. */
const BOLD = /^\*\*([^*\r\n]{1,80}?):?\*\*:?\s+/;
const SEPARATOR = /^[-–—|•·]\s+/;
/** A character behind a backslash in Markdown. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/**
 * The turns with their speakers, who are named as the file as a whole does it: in the lines with the times; in the lines
 * above or below these; or by labels such as `Ada: `. `lead` is what the file has before its first turn; `isOwn`:
 * whether it is our own Markdown, which names speakers in the lines with the times alone.
 */
export function namedTurns(found: readonly FoundTurn[], lead: string, isOwn: boolean): readonly Turn[] {
  const turns = found.map((turn) => ({ ...turn, text: said(turn.text) }));
  if (isOwn) {
    const plain = (text: string): string => text.replace(ESCAPED, '$1');
    return turns.map((turn) => ({ ...turn, speaker: plain(turn.name ?? ''), text: plain(turn.text) }));
  }
  const named = turns.some(({ name }) => name !== null)
    ? turns.map((turn, index) => ({
        ...turn,
        speaker: turn.name ?? '',
        text: withoutName(turn, turns[index + 1]),
      }))
    : unnamed(turns, lead);
  return named.map((turn) => ({
    ...turn,
    speaker: withoutJoiners(turn.speaker),
    text: withoutJoiners(turn.text),
  }));
}

function unnamed(turns: readonly FoundTurn[], lead: string): readonly Turn[] {
  if (turns.some(({ text }) => isMarked(text))) return labelled(turns);
  const plain = without(SEPARATOR, turns);
  return aboveTimes(turns, lead) ?? belowTimes(plain) ?? labelled(without(BOLD, plain, '$1: '));
}

/** What is said, without the lines that programs add. */
const said = (text: string): string =>
  linesIn(text.trim())
    .filter((line, index) => index === 0 || !isFurniture(line))
    .join('\n')
    .trim();

/** A turn without the name of the next, where that is also in a line of its own above the times. */
const withoutName = ({ text }: FoundTurn, next: FoundTurn | undefined): string =>
  next?.name && text.endsWith(`\n${next.name}`) ? text.slice(0, -next.name.length).trim() : text;

/** The turns without what at least half of them begin with. */
function without(begin: RegExp, turns: readonly FoundTurn[], instead = ''): readonly FoundTurn[] {
  const count = turns.filter(({ text }) => begin.test(text)).length;
  if (count * 2 < turns.length) return turns;
  return turns.map((turn) => ({ ...turn, text: turn.text.replace(begin, instead) }));
}

/** Names, or numbers as in captions, in lines of their own above the times; null if there are none. */
function aboveTimes(turns: readonly FoundTurn[], lead: string): readonly Turn[] | null {
  const lines = [lead.trim(), ...turns.map(({ text }) => text)].map((text) =>
    text.slice(text.lastIndexOf('\n') + 1),
  );
  const names = lines
    .slice(0, -1)
    .map((line, index) => (index === 0 || turns[index - 1]!.text.includes('\n') ? line : ''));
  if (!isAbove(names[0]!) || !most(names.filter(isAbove).length, turns.length)) return null;
  return turns.map((turn, index) => {
    const [speaker, next = ''] = [names[index]!, names[index + 1]];
    const text = isAbove(next) ? turn.text.slice(0, -next.length).trim() : turn.text;
    return { ...turn, speaker: isName(speaker) ? speaker : '', text };
  });
}

const isAbove = (line: string): boolean => isName(line) || /^\d+$/.test(line);

/** Names in lines of their own below the times; null if there are none. */
function belowTimes(turns: readonly FoundTurn[]): readonly Turn[] | null {
  const split = turns.map(({ text }) => {
    const end = text.indexOf('\n');
    return end > 0 && isName(text.slice(0, end).trim()) ? end : 0;
  });
  if (!most(split.filter((end) => end > 0).length, turns.length)) return null;
  return turns.map((turn, index) => ({
    ...turn,
    speaker: turn.text.slice(0, split[index]).trim(),
    text: turn.text.slice(split[index]).trim(),
  }));
}

const isName = (line: string): boolean =>
  /\p{L}/u.test(line) && line.length <= 100 && !/[.!?,;。！？]$/.test(line) && isNameLike(line);

function labelled(turns: readonly FoundTurn[]): readonly Turn[] {
  const labelIn = labelReader(turns.map(({ text }) => text));
  return turns.map((turn) => ({ ...turn, ...labelIn(turn.text) }));
}
