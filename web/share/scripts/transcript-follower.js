import { find, rootOf, scrollBehavior } from './dom.js';

/** @import { Transcript } from './transcript.js' */

/** How many times to correct a scroll: rows on the way get their true height only when rendered. */
const CORRECTIONS = 4;

/** Marks the current row and keeps it in view within the panel until the reader scrolls away. Playback never scrolls the page. */
export class TranscriptFollower {
  #transcript;
  #section;
  #button;
  #isFollowing = true;
  #seconds = -1;
  /** Until this time, scrolling is attributed to the page, not to the reader. */
  #scrollsUntil = 0;
  #isChecking = false;

  /** @param {Transcript} transcript */
  constructor(transcript) {
    this.#transcript = transcript;
    const { list } = transcript;
    this.#section = list.closest('section');
    this.#button = find('follow', HTMLButtonElement, rootOf(list));
    const stopFollowing = () => this.follow(false);
    list.addEventListener('wheel', stopFollowing, { passive: true });
    list.addEventListener('touchmove', stopFollowing, { passive: true });
    list.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    this.#button?.addEventListener('click', () => {
      this.follow(true);
      this.scrollTo(transcript.current);
      this.#section?.focus({ preventScroll: true });
    });
  }

  /** Marks the row at this time. @param {number} seconds */
  mark(seconds) {
    this.#seconds = seconds;
    const row = this.#transcript.rowAt(seconds);
    if (row === this.#transcript.current) return;
    this.#transcript.mark(row);
    this.follow(this.#isFollowing);
    if (this.#isFollowing) this.#bringIntoView(row);
  }

  /** Marks the current row again after rows have been added. */
  update() {
    this.mark(this.#seconds);
  }

  /** @param {boolean} isFollowing */
  follow(isFollowing) {
    this.#isFollowing = isFollowing;
    if (this.#button) this.#button.hidden = isFollowing || this.#transcript.current < 0;
  }

  /** Follows again, and shows the current row even if it stays the same. */
  resume() {
    this.follow(true);
    this.#bringIntoView(this.#transcript.current);
  }

  /** Shows a row that the reader chose; first scrolls the page to the panel if necessary. @param {number} row */
  scrollTo(row) {
    this.#section?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    this.#bringIntoView(row);
  }

  /** Shows the marked row, or the first one; `focuses`: as links within a page do. @param {boolean} [focuses] */
  show(focuses = false) {
    const row = Math.max(0, this.#transcript.current);
    this.scrollTo(row);
    if (focuses) this.#transcript.items[row]?.querySelector('a')?.focus({ preventScroll: true });
  }

  /** Scrolls a row to the upper part of the panel, unless it is well in view. @param {number} row */
  #bringIntoView(row) {
    const item = this.#transcript.items[row];
    if (!item) return;
    const area = this.#transcript.list.getBoundingClientRect();
    const box = item.getBoundingClientRect();
    if (box.top >= area.top + area.height * 0.08 && box.bottom <= area.top + area.height * 0.7) return;
    this.#scroll(item, CORRECTIONS);
  }

  /** @param {HTMLElement} item @param {number} corrections */
  #scroll(item, corrections) {
    const { list } = this.#transcript;
    const area = list.getBoundingClientRect();
    const distance = item.getBoundingClientRect().top - (area.top + area.height * 0.28);
    if (Math.abs(distance) < 3) return;
    const behavior = scrollBehavior(Math.abs(distance) < area.height && corrections === CORRECTIONS);
    this.#scrollsUntil = performance.now() + (behavior === 'smooth' ? 1_000 : 250);
    // An absolute position: a scroll may be under way already.
    list.scrollTo({ top: list.scrollTop + distance, behavior });
    if (behavior === 'instant' && corrections > 0)
      requestAnimationFrame(() => this.#scroll(item, corrections - 1));
  }

  #onScroll() {
    if (!this.#isFollowing || this.#isChecking || performance.now() < this.#scrollsUntil) return;
    this.#isChecking = true;
    requestAnimationFrame(() => {
      this.#isChecking = false;
      this.#stopWhenOutOfView();
    });
  }

  #stopWhenOutOfView() {
    const area = this.#transcript.list.getBoundingClientRect();
    const box = this.#transcript.items[this.#transcript.current]?.getBoundingClientRect();
    if (box && this.#isFollowing && (box.bottom < area.top || box.top > area.bottom)) this.follow(false);
  }
}
