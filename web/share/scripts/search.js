import { find, make, setText } from './dom.js';

/** @import { SearchOptions } from './types.js' */

/** A search starts after a pause in typing of this length. */
const TYPING_MS = 120;
/** Painting yields to the page after this time. */
const PAINTING_MS = 8;

/** Finds the rows of the transcript that have all words of a query, marks the words and steps through the rows. */
export class Search {
  static texts = { of: 'of', loading: 'loading…', none: 'No matches', searching: 'Searching…' };
  #transcript;
  #follower;
  #field;
  #buttons = [find('previous', HTMLButtonElement), find('next', HTMLButtonElement)];
  /** @type {string[]} The folded text of each row. */
  #folded = [];
  /** @type {number[]} Rows. */
  #matches = [];
  /** @type {Set<number>} Rows with marks. */
  #painted = new Set();
  #query = '';
  /** @type {RegExp[]} */
  #terms = [];
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
    this.#scan(from);
    if (this.#chosen < 0 && this.#matches.length > 0) this.#choose(0);
    for (let row = from; row < this.#transcript.items.length; row += 1) this.#paint(row);
    this.#showCount();
  }

  /** Called when the text of a row has changed. @param {number} row */
  rowChanged(row) {
    this.#folded[row] = fold(this.#transcript.texts[row] ?? '');
    this.#paint(row);
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
    const row = this.#matches[this.#chosen];
    if (row === undefined) return;
    this.#isThere = true;
    this.#goTo(this.#transcript.starts[row] ?? 0);
  }

  /** Searches for the text in the field; false if it has not changed since the last search. */
  #begin() {
    clearTimeout(this.#timer);
    const query = this.#field.value.trim();
    if (query === this.#query) return false;
    this.#query = query;
    this.#terms = termsOf(query);
    this.#clearMatches();
    this.#scan(0);
    this.#choose(0);
    void this.#paintAll(this.#matches[0] ?? 0);
    return true;
  }

  #clearMatches() {
    this.#matches = [];
    this.#chosen = -1;
    this.#isThere = false;
  }

  /** @param {number} from */
  #scan(from) {
    for (let row = from; row < this.#transcript.texts.length; row += 1)
      if (this.#spansIn(row).length > 0) this.#matches.push(row);
  }

  /** @param {number} row */
  #spansIn(row) {
    return findAll((this.#folded[row] ??= fold(this.#transcript.texts[row] ?? '')), this.#terms);
  }

  /** @param {number} index */
  #choose(index) {
    const { length } = this.#matches;
    const before = this.#matches[this.#chosen];
    this.#chosen = length > 0 ? (index + length) % length : -1;
    const row = this.#matches[this.#chosen];
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
    const spans = this.#spansIn(row);
    if (!paragraph || (spans.length === 0 && !this.#painted.delete(row))) return;
    if (spans.length > 0) this.#painted.add(row);
    const className = row === this.#matches[this.#chosen] ? 'now' : '';
    const parts = splitAtSpans(this.#transcript.texts[row] ?? '', spans);
    const nodes = parts.map((text, index) =>
      index % 2 ? make('mark', { className, textContent: text }) : text,
    );
    paragraph.replaceChildren(...nodes);
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
    const { of, loading, none, searching } = Search.texts;
    const place = `${this.#chosen + 1} ${of} ${length}`;
    const found = length > 0 ? place + (isComplete ? '' : `, ${loading}`) : isComplete ? none : searching;
    setText('count', this.#terms.length === 0 ? '' : found);
    for (const button of this.#buttons) if (button) button.disabled = length === 0;
  }
}

/** Removes case and accents. @param {string} text */
export function fold(text) {
  return text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ς', 'σ');
}

/**
 * The words of a query, and its phrases in quotes, also the typographic ones of phones. Words of one or two letters are
 * found only where a word begins.
 * @param {string} query
 */
export function termsOf(query) {
  return [...fold(query).matchAll(/["“”„]([^"“”„]*)["“”„]?|[^\s"“”„]+/g)]
    .map(([word, phrase = word]) => phrase.trim().replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
    .filter((term) => term !== '')
    .map((term) => new RegExp(/^\w{1,2}$/.test(term) ? `\\b${term}` : term, 'g'));
}

/** Where the terms are in a folded text, ascending and without overlaps; empty unless it has all of them. @param {string} text @param {readonly RegExp[]} terms */
export function findAll(text, terms) {
  /** @type {[number, number][]} */
  const spans = [];
  for (const term of terms) {
    const { length } = spans;
    for (const { index, 0: found } of text.matchAll(term)) spans.push([index, index + found.length]);
    if (spans.length === length) return [];
  }
  spans.sort(([a, endOfA], [b, endOfB]) => a - b || endOfB - endOfA);
  let done = 0;
  return spans.filter(([begin, end]) => {
    if (begin < done) return false;
    done = end;
    return true;
  });
}

/**
 * Splits a text at spans of the folded text: every second part is the text of one.
 * @param {string} text @param {readonly (readonly [number, number])[]} spans ascending
 */
export function splitAtSpans(text, spans) {
  if (spans.length === 0) return [text];
  const sources = sourceOffsets(text);
  let done = 0;
  const parts = spans.flat().map((at) => {
    const end = Math.max(done, sources[at] ?? text.length);
    const part = text.slice(done, end);
    done = end;
    return part;
  });
  return [...parts, text.slice(done)];
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
