import { find, scrollBehavior } from './dom.js';

/** @import { Transcript } from './transcript.js' */

/** How often a row is scrolled to again, once rows on the way have been drawn and have their true height. */
const CORRECTIONS = 4;

/** Marks the row that is spoken and keeps it in view, until the reader scrolls away. */
export class TranscriptFollower {
  #transcript;
  #section = find('transcript', HTMLElement);
  #head = find('head', HTMLElement);
  #button = find('follow', HTMLButtonElement);
  #isFollowing = true;
  /** Whether the next row that is marked is to be shown wherever the reader is. */
  #revealsNext = false;
  #seconds = -1;
  /** Scrolling up to this time is the page's own. */
  #scrollsUntil = 0;
  #isChecking = false;

  /** @param {Transcript} transcript */
  constructor(transcript) {
    this.#transcript = transcript;
    const { list } = transcript;
    const stopFollowing = () => this.follow(false);
    const onScroll = () => this.#onScroll();
    list.addEventListener('wheel', stopFollowing, { passive: true });
    list.addEventListener('touchmove', stopFollowing, { passive: true });
    list.addEventListener('scroll', onScroll, { passive: true });
    document.addEventListener('scroll', onScroll, { passive: true });
    this.#button?.addEventListener('click', () => {
      this.follow(true);
      this.scrollTo(transcript.current);
      this.#section?.focus({ preventScroll: true });
    });
  }

  /** Marks the row that is spoken at this time. @param {number} seconds */
  mark(seconds) {
    this.#seconds = seconds;
    const row = this.#transcript.rowAt(seconds);
    if (row === this.#transcript.current) return;
    this.#transcript.mark(row);
    this.follow(this.#isFollowing);
    if (this.#isFollowing) this.#bringIntoView(row, this.#revealsNext);
    if (row >= 0) this.#revealsNext = false;
  }

  /** Marks again, as there are more rows now. */
  update() {
    this.mark(this.#seconds);
  }

  /** @param {boolean} isFollowing */
  follow(isFollowing) {
    this.#isFollowing = isFollowing;
    if (this.#button) this.#button.hidden = isFollowing || this.#transcript.current < 0;
  }

  /** Shows the next row that is marked, wherever the reader is. */
  revealNext() {
    this.#revealsNext = true;
    this.follow(true);
  }

  /** @param {number} row */
  scrollTo(row) {
    this.#bringIntoView(row, true);
  }

  /**
   * Scrolls a row to where it reads best. Unless it was asked for, that never takes the page away from somebody who reads
   * something else.
   * @param {number} row @param {boolean} isAskedFor
   */
  #bringIntoView(row, isAskedFor) {
    const item = this.#transcript.items[row];
    const area = this.#readingArea();
    if (!item || !area || !(area.isInView || (isAskedFor && area.isFixed))) return;
    const box = item.getBoundingClientRect();
    const height = area.bottom - area.top;
    if (box.top >= area.top + height * 0.08 && box.bottom <= area.top + height * 0.7) return;
    this.#scroll(item, isAskedFor, CORRECTIONS);
  }

  /** @param {HTMLElement} item @param {boolean} isAskedFor @param {number} corrections */
  #scroll(item, isAskedFor, corrections) {
    const area = this.#readingArea();
    if (!area || !(area.isInView || (isAskedFor && area.isFixed))) return;
    const height = area.bottom - area.top;
    const distance = item.getBoundingClientRect().top - (area.top + height * 0.28);
    if (Math.abs(distance) < 3) return;
    const behavior = scrollBehavior(Math.abs(distance) < height && corrections === CORRECTIONS);
    this.#scrollsUntil = performance.now() + (behavior === 'smooth' ? 1_000 : 250);
    area.scroller.scrollBy({ top: distance, behavior });
    if (behavior === 'instant' && corrections > 0)
      requestAnimationFrame(() => this.#scroll(item, isAskedFor, corrections - 1));
  }

  /** The part of the window in which rows are read; in one column it lies below the player and the search, which stay there. */
  #readingArea() {
    const { list } = this.#transcript;
    if (!this.#head) return null;
    const box = list.getBoundingClientRect();
    if (getComputedStyle(list).overflowY === 'auto') {
      return { top: box.top, bottom: box.bottom, scroller: list, isFixed: true, isInView: true };
    }
    const { position, top } = getComputedStyle(this.#head);
    const isFixed = position === 'sticky';
    const from = isFixed ? parseFloat(top) + this.#head.offsetHeight : 0;
    const isInView = box.top < innerHeight * 0.8 && box.bottom > from;
    return { top: from, bottom: innerHeight, scroller: document.documentElement, isFixed, isInView };
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
    const area = this.#readingArea();
    const box = this.#transcript.items[this.#transcript.current]?.getBoundingClientRect();
    if (area && box && this.#isFollowing && (box.bottom < area.top || box.top > area.bottom)) {
      this.follow(false);
    }
  }
}
