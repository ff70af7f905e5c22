import { find, isPlainClick, scrollBehavior, setText } from './dom.js';
import { lastStarted, momentOf, parseMoment } from './moments.js';

/** @import { NavigationParts } from './types.js' */

/** Links to moments of the recording: on the page, in its URL, and copied to the clipboard. */
export class Navigation {
  static texts = { copied: 'Link copied', copyThis: 'Copy this link:' };
  #parts;
  /** Where the last jump led. */
  #moment = 0;

  /** @param {NavigationParts} parts */
  constructor(parts) {
    this.#parts = parts;
    const { signal, root = document } = parts;
    root.addEventListener('click', (event) => this.#onClick(/** @type {MouseEvent} */ (event)), { signal });
    if (root !== document) return;
    addEventListener('hashchange', () => this.#openAt(parseMoment(location.hash)), { signal });
    find('copy', HTMLElement)?.addEventListener('click', () => void this.#copyLink(), { signal });
  }

  /** Without `plays`, goes on as before: playing, or paused. @param {number} seconds @param {boolean} [plays] */
  jump(seconds, plays = this.#parts.player?.isPlaying ?? false) {
    const { player, duration, onMove } = this.#parts;
    const moment = Math.max(0, Math.min(seconds, duration ?? Infinity));
    this.#moment = moment;
    onMove(moment);
    player?.seek(moment, plays);
  }

  /** Jumps to the moment in the page's URL, if any. */
  openUrl() {
    this.#openAt(momentOf(location));
  }

  /** @param {number | null} moment */
  #openAt(moment) {
    if (moment === null) return;
    this.goTo(moment, false);
    if (!this.#parts.video) this.#parts.follower?.show();
  }

  /** Jumps, and shows the row of that moment from then on. @param {number} seconds @param {boolean} [plays] */
  goTo(seconds, plays) {
    this.jump(seconds, plays);
    this.#parts.follower?.resume();
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    if (!isPlainClick(event)) return;
    const target = /** @type {Element} */ (event.target);
    const text = target.closest('.seeks li > p');
    // A click that ends a text selection is not a jump.
    if (text && getSelection()?.type === 'Range') return;
    const link = text ? text.parentElement?.querySelector('a') : target.closest('a');
    const hash = link?.getAttribute('href') ?? '';
    const moment = parseMoment(hash);
    if (moment === null) return;
    event.preventDefault();
    if (!this.#parts.root) history.replaceState(null, '', hash);
    this.goTo(moment, true);
    if (this.#parts.video) keepInSight(this.#parts.video);
    else this.#parts.follower?.show(true);
  }

  async #copyLink() {
    const seconds = this.#parts.player?.position ?? this.#moment;
    // In the query, because messaging apps and redirects drop fragments.
    const value = `${location.origin}${location.pathname}?t=${Math.floor(seconds)}`;
    try {
      await navigator.clipboard.writeText(value);
      setText('copied', Navigation.texts.copied);
      setTimeout(() => setText('copied', ''), 4_000);
    } catch {
      // The clipboard is unavailable on plain HTTP, or not permitted.
      setText('copied', Navigation.texts.copyThis);
      const field = find('link', HTMLInputElement);
      if (!field) return;
      Object.assign(field, { value, hidden: false });
      field.select();
    }
  }
}

/** Scrolls to the video unless at least half of it can be seen. @param {HTMLVideoElement} video */
function keepInSight(video) {
  const { bottom, height } = video.getBoundingClientRect();
  if (bottom < height / 2) video.scrollIntoView({ block: 'center', behavior: scrollBehavior(true) });
}

/** Marks the link to the part of the page that is in the middle of the window. */
export function markJumps() {
  const links = new Map(
    [...document.querySelectorAll('.jumps a')].map((link) => [link.getAttribute('href'), link]),
  );
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(`#${target.id}`);
        if (isIntersecting) link?.setAttribute('aria-current', 'true');
        else link?.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-50% 0px' },
  );
  for (const part of document.querySelectorAll('.topics, .summary, .transcript')) watcher.observe(part);
  return watcher;
}

/** The chapters on the page, with the current one marked. */
export class Chapters {
  #links;
  #starts;
  #current = -1;

  /** @param {ParentNode} root */
  constructor(root = document) {
    this.#links = [...root.querySelectorAll('#topics a.topic')];
    this.#starts = this.#links.map((link) => parseMoment(link.getAttribute('href')) ?? 0);
  }

  /** @param {number} seconds */
  mark(seconds) {
    const chapter = lastStarted(this.#starts, seconds);
    if (chapter === this.#current) return;
    this.#links[this.#current]?.removeAttribute('aria-current');
    this.#links[chapter]?.setAttribute('aria-current', 'true');
    this.#current = chapter;
  }
}
