import { make } from './dom.js';

/** As many rows are in each list. */
const ROWS_PER_LIST = 20;
/** The last rows may still change: what is being said is heard again with what follows. */
const UNSETTLED_ROWS = 10;
/** A reader this close to the end, in pixels, sees what is added. */
const NEAR_END_PX = 80;

/** What is being said in a meeting in progress: rows that the page comes with, and those of later versions of it. */
export class LiveTranscript {
  #list;
  /** @type {Element[]} */
  #rows;

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
    this.#rows = [...list.querySelectorAll('li')];
    this.#showEnd();
  }

  /** The chunk from which the page is to be fetched next. */
  get chunk() {
    return Math.floor(Math.max(0, this.#rows.length - UNSETTLED_ROWS) / ROWS_PER_LIST);
  }

  /** Takes the rows of a page that begins with this chunk. Returns whether there are probably more. @param {readonly Element[]} rows @param {number} chunk */
  update(rows, chunk) {
    const first = chunk * ROWS_PER_LIST;
    // As it is now: events of scrolling come later.
    const isAtEnd = this.#isNearEnd();
    for (const [index, row] of rows.entries()) this.#place(first + index, row);
    const added = first + rows.length - this.#rows.length;
    for (const row of this.#rows.splice(first + rows.length)) row.remove();
    if (isAtEnd) this.#showEnd();
    return added >= 0 && rows.length >= 2 * ROWS_PER_LIST;
  }

  /** @param {number} place @param {Element} row */
  #place(place, row) {
    const shown = this.#rows[place];
    if (shown?.outerHTML === row.outerHTML) return;
    if (shown) shown.replaceWith(row);
    else if (place % ROWS_PER_LIST > 0) this.#rows[place - 1]?.after(row);
    else {
      const list = make('ol');
      list.append(row);
      this.#list.append(list);
    }
    this.#rows[place] = row;
  }

  #isNearEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#list;
    return scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
  }

  #showEnd() {
    this.#list.scrollTop = this.#list.scrollHeight;
  }
}
