import { find, make, setText } from './dom.js';

/** @import { Transcript } from './transcript.js' */
/** @import { TranscriptFollower } from './transcript-follower.js' */
/** @typedef {{ transcript: Transcript, follower: TranscriptFollower, goTo: (seconds: number) => void }} SearchOptions */

/** A search starts after a pause in typing of this length. */
const TYPING_MS = 120;
/** Painting yields to the page after this time. */
const PAINTING_MS = 8;

/** Finds text in the transcript, marks the matches and steps through them. */
export class Search {
  #transcript;
  #follower;
  #field;
  #buttons = [find('previous', HTMLButtonElement), find('next', HTMLButtonElement)];
  /** @type {string[]} The folded text of each row. */
  #folded = [];
  /** @type {{ row: number, at: number }[]} */
  #matches = [];
  /** @type {Map<number, number>} The first match of a row. */
  #firstOf = new Map();
  /** @type {Set<number>} Rows with marks. */
  #painted = new Set();
  #needle = '';
  /** Index of the current match; -1 for none. */
  #chosen = -1;
  /** Number of the current painting; a newer one cancels older ones. */
  #painting = 0;
  #timer = 0;
  /** Whether the reader has gone to the current match, not only been shown it. */
  #isThere = false;
  #goTo;

  /** @param {HTMLFormElement} form @param {HTMLInputElement} field @param {SearchOptions} options */
  constructor(form, field, { transcript, follower, goTo }) {
    this.#transcript = transcript;
    this.#follower = follower;
    this.#field = field;
    this.#goTo = goTo;
    field.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#begin(), TYPING_MS);
    });
    field.addEventListener('keydown', (event) => this.#onKey(event));
    form.addEventListener('submit', (event) => event.preventDefault());
    this.#buttons[0]?.addEventListener('click', () => this.#step(-1));
    this.#buttons[1]?.addEventListener('click', () => this.#step(1));
  }

  focus() {
    this.#field.select();
  }

  /** Called when rows have been added, starting with this one. @param {number} from */
  rowsAdded(from) {
    if (from === 0) {
      this.#folded.length = 0;
      this.#clearMatches();
    }
    if (this.#needle === '') return;
    this.#scan(from);
    if (this.#chosen < 0 && this.#matches.length > 0) this.#choose(0);
    for (let row = from; row < this.#transcript.items.length; row += 1) this.#paint(row);
    this.#showCount();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    if (event.key === 'Enter') return this.#step(event.shiftKey ? -1 : Number(this.#isThere));
    this.#field.value = '';
    this.#begin();
  }

  /** Goes to a match. Typing only shows the first one: the player must not jump while someone types. @param {number} step */
  #step(step) {
    if (!this.#begin()) this.#choose(this.#chosen + step);
    const match = this.#matches[this.#chosen];
    if (!match) return;
    this.#isThere = true;
    this.#goTo(this.#transcript.starts[match.row] ?? 0);
  }

  /** Searches for the text in the field; false if it has not changed since the last search. */
  #begin() {
    clearTimeout(this.#timer);
    const needle = fold(this.#field.value.trim());
    if (needle === this.#needle) return false;
    this.#needle = needle;
    this.#clearMatches();
    this.#scan(0);
    this.#choose(0);
    void this.#paintAll(this.#matches[0]?.row ?? 0);
    return true;
  }

  #clearMatches() {
    this.#matches = [];
    this.#firstOf = new Map();
    this.#chosen = -1;
    this.#isThere = false;
  }

  /** @param {number} from */
  #scan(from) {
    if (this.#needle === '') return;
    const { texts } = this.#transcript;
    for (let row = from; row < texts.length; row += 1) {
      const text = (this.#folded[row] ??= fold(texts[row] ?? ''));
      for (const at of findAll(text, this.#needle)) {
        if (!this.#firstOf.has(row)) this.#firstOf.set(row, this.#matches.length);
        this.#matches.push({ row, at });
      }
    }
  }

  /** @param {number} index */
  #choose(index) {
    const { length } = this.#matches;
    const before = this.#matches[this.#chosen]?.row;
    this.#chosen = length > 0 ? (index + length) % length : -1;
    const row = this.#matches[this.#chosen]?.row;
    if (before !== undefined) this.#paint(before);
    if (row !== undefined) {
      this.#paint(row);
      this.#follower.follow(false);
      this.#follower.scrollTo(row);
    }
    this.#showCount();
  }

  /** @param {number} row */
  #paint(row) {
    const paragraph = this.#transcript.items[row]?.lastElementChild;
    const text = this.#transcript.texts[row] ?? '';
    const first = this.#firstOf.get(row);
    if (!paragraph || (first === undefined && !this.#painted.delete(row))) return;
    if (first === undefined) {
      paragraph.textContent = text;
      return;
    }
    this.#painted.add(row);
    const offsets = [];
    for (let match = this.#matches[first]; match?.row === row; match = this.#matches[first + offsets.length])
      offsets.push(match.at);
    const { matches, rest } = splitAtMatches(text, offsets, this.#needle.length);
    const parts = matches.flatMap((match, index) => {
      const className = first + index === this.#chosen ? 'now' : '';
      return [match.before, make('mark', { className, textContent: match.text })];
    });
    paragraph.replaceChildren(...parts, rest);
  }

  /** Paints all rows in small batches, starting where the reader is. @param {number} from */
  async #paintAll(from) {
    const painting = (this.#painting += 1);
    let until = performance.now() + PAINTING_MS;
    const rows = this.#transcript.items.length;
    for (let step = 0; step < rows; step += 1) {
      this.#paint((from + step) % rows);
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (painting !== this.#painting) return;
      until = performance.now() + PAINTING_MS;
    }
  }

  #showCount() {
    const { length } = this.#matches;
    const { isComplete } = this.#transcript;
    const place = `${this.#chosen + 1} of ${length}`;
    const found =
      length > 0 ? place + (isComplete ? '' : ', loading…') : isComplete ? 'No matches' : 'Searching…';
    setText('count', this.#needle === '' ? '' : found);
    for (const button of this.#buttons) if (button) button.disabled = length === 0;
  }
}

/** Removes case and accents. @param {string} text */
export function fold(text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ');
}

/** Offsets of the needle, without overlaps; both must be folded. @param {string} text @param {string} needle @returns {number[]} */
export function findAll(text, needle) {
  const offsets = [];
  if (needle === '') return [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    offsets.push(at);
  return offsets;
}

/**
 * Splits a text at the matches of a folded needle: each match with the text before it, and the rest after the last one.
 * @param {string} text @param {readonly number[]} offsets in the folded text, ascending @param {number} length of the needle
 */
export function splitAtMatches(text, offsets, length) {
  const sources = sourceOffsets(text);
  let done = 0;
  const matches = offsets.map((at) => {
    const begin = Math.max(done, sources[at] ?? 0);
    const end = Math.max(begin, sources[at + length] ?? text.length);
    const match = { before: text.slice(done, begin), text: text.slice(begin, end) };
    done = end;
    return match;
  });
  return { matches, rest: text.slice(done) };
}

/** For each code unit of the folded text, its offset in the original text. @param {string} text */
function sourceOffsets(text) {
  /** @type {number[]} */
  const offsets = [];
  let at = 0;
  for (const letter of text) {
    for (let unit = fold(letter).length; unit > 0; unit -= 1) offsets.push(at);
    at += letter.length;
  }
  return offsets;
}
