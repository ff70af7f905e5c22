/** A part of a cue with one voice. Entities are not decoded yet. */
export interface VoicePart {
  /** Annotation of the voice tag; null outside one. */
  readonly voice: string | null;
  readonly text: string;
}

/** A tag or a timestamp within a cue; any other `<` is text. */
const TAG_START = /[a-z/\d]/i;
const VOICE_TAG = /^v(?:\.[^\s.]*)*(?:\s+|$)/;

/** Splits the markup of a cue by voice, without tags. Linear time: each `>` is searched for once. */
export function voicePartsOf(markup: string): VoicePart[] {
  const parts: { voice: string | null; text: string }[] = [];
  const voices: string[] = [];
  const say = (text: string) => {
    const voice = voices.at(-1) ?? null;
    const last = parts.at(-1);
    if (last && last.voice === voice) last.text += text;
    else if (text.trim() === '' && last) last.text += text;
    else if (text !== '') parts.push({ voice, text });
  };
  let [from, at, close] = [0, markup.indexOf('<'), -1];
  while (at >= 0) {
    if (close < at) close = markup.indexOf('>', at);
    if (close < 0) break;
    const next = markup.indexOf('<', at + 1);
    // What is not closed before the next one is text.
    if (TAG_START.test(markup[at + 1]!) && (next < 0 || next > close)) {
      say(markup.slice(from, at));
      follow(markup.slice(at + 1, close), voices);
      from = close + 1;
    }
    at = next;
  }
  say(markup.slice(from));
  return parts;
}

function follow(tag: string, voices: string[]): void {
  const opened = VOICE_TAG.exec(tag);
  if (opened) voices.push(tag.slice(opened[0].length));
  else if (/^\/v\s*$/.test(tag)) voices.pop();
}
