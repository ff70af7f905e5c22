import { isNameLike, labelOf, type Label } from '../speaker-labels.js';
import type { TextFormat, Turn } from '../transcript-draft.js';
import { BEGINNING, forEachLine, headOf, placeOf, secondsToSay } from '../transcript-text.js';
import { FILE_LIMITS } from '../transcript.js';
import { secondsOfStamp } from './time-stamps.js';

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

/** A transcript of Google Meet: turns share the time between two of its times by the length of their text. */
export const GOOGLE_MEET: TextFormat = {
  name: 'google-meet',
  title: 'Google Meet',
  match: (text) => {
    const head = headOf(text);
    if (!BEGINS.test(head) && !(ANY_TIME.test(head) && MARKS.some((mark) => mark.test(head)))) return null;
    const { blocks, turns, end } = blocksOf(text);
    // Otherwise its times are of lines without names.
    if (turns === 0 || turns * 2 < blocks.length) return null;
    return {
      points: 2 * (blocks.length + turns),
      read: (draft) => {
        for (const turn of timed(blocks, end)) {
          if (!draft.hasRoom(placeOf(turn.line))) break;
          draft.addTurn(turn);
        }
        return null;
      },
    };
  },
};

function blocksOf(text: string): { blocks: readonly Block[]; turns: number; end: number | null } {
  const blocks: Block[] = [];
  let [end, turns]: [number | null, number] = [null, 0];
  forEachLine(text, BEGINNING, (from, to, line) => {
    const short = text.slice(from, Math.min(to, from + SHORT_LINE));
    if (short.trim() === '') return true;
    const [time, ended] = [TIME.exec(short)?.[1], ENDED.exec(short)?.[1]];
    if (ended !== undefined) {
      end = secondsOfStamp(ended, false);
      return false;
    }
    const block = blocks.at(-1);
    if (time !== undefined || (!block && HEADING.test(short))) {
      if (block?.turns.length === 0) blocks.pop();
      blocks.push({ start: time === undefined ? 0 : secondsOfStamp(time, false)!, turns: [] });
    } else if (block && !NOTICE.test(short)) {
      const said = text.slice(from, to).trim();
      const label = labelIn(said);
      const last = block.turns.at(-1);
      // Without a name, it continues what was said before; before the first name, it is not said.
      const speaker = label?.speaker ?? blocks.at(-2)?.turns.at(-1)?.speaker;
      if (last && !label) {
        // A text of this length is refused in any case.
        if (last.text.length <= FILE_LIMITS.markup) last.text += `\n${said}`;
      } else if (speaker !== undefined) {
        block.turns.push({ line, speaker, text: label?.text ?? said });
        turns += 1;
      }
    }
    return turns <= FILE_LIMITS.segments;
  });
  return { blocks, turns, end };
}

function labelIn(said: string): Label | null {
  const bold = BOLD_LABEL.exec(said);
  if (bold) return { speaker: bold[1]!, text: said.slice(bold[0].length) };
  const label = labelOf(said);
  return label && isNameLike(label.speaker) ? label : null;
}

function timed(blocks: readonly Block[], end: number | null): Turn[] {
  return blocks.flatMap(({ start, turns }, index) => {
    const length = turns.reduce((sum, { text }) => sum + text.length, 0);
    const until = blocks[index + 1]?.start ?? end;
    const natural = turns.reduce((sum, { text }) => sum + secondsToSay(text), 0);
    const seconds = until !== null && until > start ? until - start : natural;
    let before = 0;
    const at = (characters: number): number =>
      Math.round((start + (seconds * characters) / length) * 1000) / 1000;
    return turns.map((turn) => {
      const from = before;
      before += turn.text.length;
      return { ...turn, start: at(from), end: at(before) };
    });
  });
}
