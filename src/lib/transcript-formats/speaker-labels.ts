import { JOINER } from './transcript-text.js';

/** Who says a text, and what is left of it. */
export interface Label {
  readonly speaker: string;
  readonly text: string;
}

/** `[Speaker 1]: text`; `Ann: text` and `Ann：text`; `[Speaker 1] text`. */
const FORMS = [
  /^\[(?!\u2060)([^[\]\r\n]{1,80})\][:：]\s*(?=\S)/u,
  /^([^\s:：<>][^:：<>\r\n]{0,79})(?::\s+|：(?!\u2060)\s*)(?=\S)/u,
  /^\[(?!\u2060)([^[\]\r\n]{1,80})\]\s+(?=\S)/u,
];
/** `(speaker 1)` of whisper.cpp. */
const NUMBERED = /^\(speaker (\d|\?)\)\s*/;
/** A name with any characters, as our own files mark it. */
const MARKED = new RegExp(`^([^\\r\\n]{1,800}?)${JOINER}: (?=\\S)`, 'u');

/** Words of names that begin with a small letter. */
const PARTICLES =
  /^(?:al|and|bin|da|de|del|della|den|der|di|dos|du|e|el|et|ibn|la|le|of|ter|und|van|von|y|zu|zum|zur)$/;
const GENERIC = /^(?:unknown |anonymous )?(?:speaker|guest|host|participant|caller|agent|user)\b/i;
/** Marks in brackets that name nobody. */
const NOBODY =
  /^(?:speaker_turn|blank_audio|[\p{L}_ ]*(?:music|applause|laugh|noise|silence|inaudible|musik|musique|música)[\p{L}_ ]*)$/iu;
/** Scripts without capital letters and spaces: longer is a sentence. */
const DENSE = /^[\p{Lo}\p{N}\p{M}]{13,}$/u;

/** Whether a text looks like a name rather than like the beginning of a sentence. */
export function isNameLike(text: string): boolean {
  if (GENERIC.test(text)) return true;
  if (NOBODY.test(text) || DENSE.test(text)) return false;
  const words = text.split(/\s+/);
  return (
    words.length === 1 ||
    (words.length <= 8 && words.every((word) => !/^\p{Ll}/u.test(word) || PARTICLES.test(word)))
  );
}

/** Splits a trimmed text into label and rest; null without a label. */
export const labelOf = (text: string): Label | null => labelsIn(text)[0] ?? null;

const labelsIn = (text: string): Label[] =>
  FORMS.flatMap((form) => {
    const match = form.exec(text);
    return match ? [{ speaker: match[1]!, text: text.slice(match[0].length) }] : [];
  });

/**
 * How to read the labels of a file's texts: at least half of them must have one that looks like a name or is there
 * twice. A single "Note: this" in a file without speakers is text. Our own files say it with marks.
 */
export function labelReader(texts: readonly string[]): (text: string) => Label | null {
  if (texts.some(isMarked)) return ownLabel;
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const { speaker } of labelsIn(text)) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const labelIn = (text: string): Label | null => {
    const numbered = NUMBERED.exec(text);
    if (numbered) {
      const speaker = numbered[1] === '?' ? '' : `Speaker ${numbered[1]}`;
      return { speaker, text: text.slice(numbered[0].length) };
    }
    const isName = ({ speaker }: Label) =>
      !NOBODY.test(speaker) && (isNameLike(speaker) || counts.get(speaker)! > 1);
    return labelsIn(text).find(isName) ?? null;
  };
  const labelled = texts.filter((text) => labelIn(text)).length;
  if (labelled === 0 || labelled * 2 < texts.length) return () => null;
  // Where hardly any text is without a name, `Iván | ethrex` is one.
  const isEvery = labelled * 10 >= texts.length * 9;
  return (text) => labelIn(text) ?? (isEvery ? labelAnyhow(text) : null);
}

const labelAnyhow = (text: string): Label | null =>
  labelsIn(text).find(({ speaker }) => !NOBODY.test(speaker)) ?? null;

/** Whether a text says by invisible marks where its label ends, or that it has none. */
export const isMarked = (text: string): boolean => text.startsWith(JOINER) || MARKED.test(text);

function ownLabel(text: string): Label | null {
  if (text.startsWith(JOINER)) return null;
  const marked = MARKED.exec(text);
  return marked ? { speaker: marked[1]!, text: text.slice(marked[0].length) } : labelOf(text);
}

/** A text behind its speaker, as `labelReader` reads it. `isContinued`: another text may follow in the line. */
export function withLabel(speaker: string, text: string, hasSpeakers: boolean, isContinued: boolean): string {
  if (speaker === '')
    return hasSpeakers || BEFORE_LABEL.test(text) ? JOINER + text : unlabelled(text, isContinued);
  const isPlain = isNameLike(speaker) && labelOf(`${speaker}: x`)?.speaker === speaker;
  return `${speaker}${isPlain ? '' : JOINER}: ${text}`;
}

/** What may begin a text before its label. */
const BEFORE_LABEL = /^(?:\*\*|[-–—|•·]\s)/;

/** A text that is not read as one with a label. */
function unlabelled(text: string, isContinued: boolean): string {
  const said = isContinued ? withoutColons(text) : text;
  return labelOf(isContinued ? `${said} x` : said) || NUMBERED.test(said)
    ? said.replace(/^[[(]/, `$&${JOINER}`).replace(/[:：](?!\u2060)/, `$&${JOINER}`)
    : said;
}

/** A text without colons that end a label. */
export const withoutColons = (text: string): string => text.replace(/:(?=\s|$)|：/g, `$&${JOINER}`);
