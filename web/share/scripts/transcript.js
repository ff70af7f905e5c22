import { find, make, reloadPage, setText } from './dom.js';
import { formatClock, lastStarted, parseMoment } from './moments.js';

/** @import { ShareLink } from './share-link.js' */
/** @import { ScriptFacts, Segment } from './types.js' */
/** @typedef {{ onRows: (from: number) => void, onPage: () => void }} Listeners `onRows`: rows have been added, starting with this one. */

const CHUNKS_PER_REQUEST = 100;
const ROWS_PER_LIST = 20;
/** Height of a row's clock and margins. */
const ROW_PX = 34;

/** The rows of the transcript: those in the page, and the others once they are loaded. */
export class Transcript {
  list;
  /** @type {number[]} */
  starts = [];
  /** @type {string[]} */
  texts = [];
  /** @type {HTMLElement[]} */
  items = [];
  isComplete = false;
  /** Index of the marked row; -1 for none. */
  current = -1;
  #colors = new Map(
    [...document.querySelectorAll('.people .dot')].map((name, index) => [name.textContent, `s${index % 8}`]),
  );
  /** Label for segments without a speaker, shown only if other speakers are named. */
  #unknown = this.#colors.size > 0 ? 'Unknown speaker' : '';

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    this.#collect(list.querySelectorAll('li'));
  }

  /** The row at this time; -1 if there is none, or if it may not have been loaded yet. @param {number} seconds */
  rowAt(seconds) {
    const row = lastStarted(this.starts, seconds);
    return row === this.starts.length - 1 && !this.isComplete ? -1 : row;
  }

  /** @param {number} row */
  mark(row) {
    this.items[this.current]?.removeAttribute('aria-current');
    this.items[row]?.setAttribute('aria-current', 'true');
    this.current = row;
  }

  /** Loads the rows that are not in the page. @param {ShareLink} link @param {NonNullable<ScriptFacts['transcript']>} part @param {Listeners} listeners */
  async load(link, { revision, fromChunk, toChunk, totalChunks }, { onRows, onPage }) {
    let chunk = fromChunk > 0 ? 0 : toChunk;
    let startsOver = fromChunk > 0;
    const named = [...this.list.querySelectorAll('b')].at(-1)?.textContent ?? '';
    let speaker = named === this.#unknown ? '' : named;
    const estimateHeight = this.#heightEstimate();
    while (chunk < totalChunks) {
      void showLoading('Loading transcript…');
      const query = `start_chunk=${chunk}&limit=${CHUNKS_PER_REQUEST}`;
      const page = (await link.fetchShare(query))?.transcript;
      if (link.isClosed) return;
      if (!page) {
        await showLoading("Couldn't load the rest of the transcript.", true);
        continue;
      }
      if (page.revision !== revision) return reloadPage();
      if (startsOver) {
        startsOver = false;
        speaker = '';
        this.#clear();
      }
      for (let first = 0; first < page.segments.length; first += ROWS_PER_LIST) {
        const segments = page.segments.slice(first, first + ROWS_PER_LIST);
        const from = this.items.length;
        this.#append(segments, speaker, estimateHeight);
        speaker = segments.at(-1)?.speaker ?? speaker;
        onRows(from);
        // Keeps the page responsive.
        if ((first / ROWS_PER_LIST) % 5 === 4) await new Promise((resolve) => setTimeout(resolve));
      }
      chunk += CHUNKS_PER_REQUEST;
      if (!page.pagination.has_more) break;
      onPage();
    }
    this.isComplete = true;
    void showLoading(null);
    onPage();
    onRows(this.items.length);
  }

  /** @param {Iterable<HTMLElement>} items */
  #collect(items) {
    for (const item of items) {
      this.starts.push(parseMoment(item.querySelector('a')?.getAttribute('href')) ?? 0);
      this.texts.push(item.lastElementChild?.textContent ?? '');
      this.items.push(item);
    }
  }

  #clear() {
    for (const list of this.list.querySelectorAll('ol')) list.remove();
    this.starts.length = this.texts.length = this.items.length = 0;
    this.current = -1;
  }

  /** @param {Segment[]} segments @param {string} speaker of the previous segment @param {(letters: number, rows: number) => number} estimateHeight */
  #append(segments, speaker, estimateHeight) {
    const group = make('ol');
    let [previous, letters] = [speaker, 0];
    for (const segment of segments) {
      group.append(this.#rowOf(segment, segment.speaker !== previous));
      previous = segment.speaker;
      letters += segment.text.length;
    }
    group.style.containIntrinsicSize = `auto ${estimateHeight(letters, segments.length)}px`;
    this.list.insertBefore(group, find('loading', HTMLElement));
    this.#collect(group.querySelectorAll('li'));
  }

  /** Must match `transcript.eta` exactly. @param {Segment} segment @param {boolean} isNamed */
  #rowOf({ start, text, speaker, noise }, isNamed) {
    const row = make('li');
    if (noise) row.className = 'noise';
    const name = speaker || this.#unknown;
    if (isNamed && name !== '') {
      const className = `dot ${this.#colors.get(speaker) ?? 's0'}`;
      row.append(make('b', { className, dir: 'auto', textContent: name }));
    }
    row.append(
      make('a', { href: `#t=${start}`, textContent: formatClock(start) }),
      make('p', { textContent: text }),
    );
    return row;
  }

  /** Estimates the height of rows from those in the page, so that scroll bars and jumps are right before rows are rendered. */
  #heightEstimate() {
    const known = this.list.querySelector('ol');
    const [letters, count] = [known?.textContent?.length ?? 0, known?.childElementCount ?? 0];
    const textHeight = (known?.offsetHeight ?? 0) - count * ROW_PX;
    const perLetter = letters > 0 ? Math.max(0.1, textHeight / letters) : 0.4;
    return (/** @type {number} */ size, /** @type {number} */ rows) =>
      Math.round(size * perLetter + rows * ROW_PX);
  }
}

/** Null hides the line. With `offersRetry`, resolves when the retry button is pressed. @param {string | null} text @param {boolean} [offersRetry] */
async function showLoading(text, offersRetry = false) {
  const line = find('loading', HTMLElement);
  const button = find('load-again', HTMLElement);
  if (!line || !button) return;
  line.hidden = text === null;
  setText('loading-text', text ?? '');
  button.hidden = !offersRetry;
  if (offersRetry) await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
}
