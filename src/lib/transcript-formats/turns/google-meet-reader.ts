import { forEachLine } from '../captions/captions-lines.js';
import { placeOf } from '../captions/captions-reader.js';
import { FILE_LIMITS } from '../transcript.js';
import { isNameLike, labelOf, type Label } from '../speaker-labels.js';
import { headOf, secondsToSay } from '../transcript-text.js';
import type { TextFormat, TranscriptDraft } from '../transcript-draft.js';
import { secondsOfStamp } from './time-stamps.js';
import { addTurn, type Turn } from './turn.js';

/** Characters of a line that can be a time or a footer. */
const SHORT_LINE = 200;
/** A time on a line of its own, every few minutes; `#` in Markdown. */
const TIME = /^(?:#{1,6} )?\*{0,2}\(?((?:\d{1,2}:)?\d{1,2}:\d{2})\)?\*{0,2}[ \t]*$/;
/** A file may have neither title nor notice. */
const BEGINS = new RegExp(
  `^\\s{0,100}${TIME.source.slice(1, -1)}[\\r\\n]\\s{0,100}[^\\s:<>][^:<>\\r\\n]{0,79}: +\\S`,
);
const ANY_TIME = new RegExp(TIME.source, 'm');
const ENDED = /^[^\w\r\n]{0,8}(?:Meeting|Transcription|Recording) ended after (\d{1,2}:\d{2}:\d{2})/;
const HEADING = /^[^\w\r\n]{0,8}Transcript[^\w\r\n]{0,8}$/;
const NOTICE = /^[^\w\r\n]{0,8}This editable transcript was computer generated/;
const BOLD_LABEL = /^\*\*([^*:]{1,80}):\*\*\s+/;
const MARKS = [HEADING, NOTICE, ENDED, / - Transcript[ \t]*$/, /^[^\w\r\n]{0,8}Attendees[^\w\r\n]{0,8}$/].map(
  ({ source }) => new RegExp(source, 'm'),
);

/** Turns between two times of the file. */
interface Block {
  readonly start: number;
  readonly turns: { readonly line: number; readonly speaker: string; text: string }[];
}

/**
 * The text of a transcript document of Google Meet: `Name: text`, and a time every few minutes. Turns share the time
 * between two of them by the length of their text.
 */
export const GOOGLE_MEET: TextFormat = {
  name: 'google-meet',
  title: 'Google Meet',
  match: (text) => {
    const head = headOf(text);
    if (!BEGINS.test(head) && !(ANY_TIME.test(head) && MARKS.some((mark) => mark.test(head)))) return null;
    const { blocks, end } = blocksOf(text);
    const turns = blocks.reduce((sum, block) => sum + block.turns.length, 0);
    // Otherwise its times are of lines without names.
    if (turns === 0 || turns * 2 < blocks.length) return null;
    return {
      points: 2 * (blocks.length + turns),
      read: (draft) => readBlocks(blocks, end, draft),
    };
  },
};

function readBlocks(blocks: readonly Block[], end: number | null, draft: TranscriptDraft): null {
  for (const turn of turnsOf(blocks, end)) {
    if (!draft.hasRoom(placeOf(turn.line))) break;
    addTurn(turn, draft);
  }
  return null;
}

function blocksOf(text: string): { blocks: readonly Block[]; end: number | null } {
  const blocks: Block[] = [];
  let [block, end, turns]: [Block | null, number | null, number] = [null, null, 0];
  forEachLine(text, { at: 0, line: 1 }, (from, to, line) => {
    const short = text.slice(from, Math.min(to, from + SHORT_LINE));
    if (short.trim() === '') return true;
    const time = TIME.exec(short) ?? ENDED.exec(short);
    if (time && ENDED.test(short)) {
      end = secondsOfStamp(time[1]!, false)!;
      return false;
    }
    if (time || (!block && HEADING.test(short))) {
      block = { start: time ? secondsOfStamp(time[1]!, false)! : 0, turns: [] };
      if (blocks.at(-1)?.turns.length === 0) blocks.pop();
      blocks.push(block);
    } else if (block && !NOTICE.test(short)) {
      turns += say(blocks, block, line, text.slice(from, to).trim()) ? 1 : 0;
    }
    return turns <= FILE_LIMITS.segments;
  });
  return { blocks, end };
}

/**
 * Adds a line to a block. Without a name, it continues what was said before; before the first name, it is not said.
 * Returns whether a turn begins.
 */
function say(blocks: readonly Block[], block: Block, line: number, said: string): boolean {
  const bold = BOLD_LABEL.exec(said);
  const label = bold ? { speaker: bold[1]!, text: said.slice(bold[0].length) } : nameIn(said);
  const last = block.turns.at(-1);
  const turns = block.turns.length;
  if (label) block.turns.push({ line, ...label });
  else if (last) {
    // A text of this length is refused in any case.
    if (last.text.length <= FILE_LIMITS.markup) last.text += `\n${said}`;
  } else {
    const before = blocks.findLast((one) => one.turns.length > 0)?.turns.at(-1);
    if (before) block.turns.push({ line, speaker: before.speaker, text: said });
  }
  return block.turns.length > turns;
}

function nameIn(said: string): Label | null {
  const label = labelOf(said);
  return label && isNameLike(label.speaker) ? label : null;
}

function turnsOf(blocks: readonly Block[], end: number | null): Turn[] {
  return blocks.flatMap(({ start, turns }, index) => {
    const length = turns.reduce((sum, { text }) => sum + text.length, 0);
    const until = blocks[index + 1]?.start ?? end;
    const natural = turns.reduce((sum, { text }) => sum + secondsToSay(text), 0);
    const seconds = until !== null && until > start ? until - start : natural;
    let before = 0;
    const at = (characters: number): number =>
      Math.round((start + (seconds * characters) / length) * 1000) / 1000;
    return turns.map(({ line, speaker, text }) => {
      const from = before;
      before += text.length;
      return { line, speaker, text, start: at(from), end: at(before) };
    });
  });
}
