import { find, make, setText } from './dom.js';
import { formatClock, lastStarted, parseMoment } from './moments.js';

/** @import { RecordingSource, Segment } from './types.js' */
/** @typedef {{ onRows: (from: number) => void, onPage: () => void, onSuperseded: () => void }} Listeners `onRows`: rows have been added, starting with this one; `onSuperseded`: it has changed while it was loaded. */
/** @typedef {{ fromChunk: number, toChunk: number, totalChunks: number, revision: number | null }} Extent What the page has already; `revision` null: of any. */
/**
 * @typedef {object} TranscriptOptions
 * @property {Iterable<string>} [speakers] in the order of their colors; others follow
 * @property {string} [unknown] label of segments without a speaker; empty: none
 * @property {(row: HTMLElement, segment: Segment) => void} [onRow] adds controls to a new row; its text stays the last element
 * @property {typeof TEXTS} [texts]
 */

const TEXTS = { loading: 'Loading transcript…', failed: "Couldn't load the rest of the transcript." };

const CHUNKS_PER_REQUEST = 100;
const ROWS_PER_LIST = 20;
/** Height of a row's clock and margins. */
const ROW_PX = 34;
/** What the name of a speaker adds. */
const NAME_PX = 38;

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
  /** @type {number | null} */
  revision = null;
  /** @type {Map<string, string>} */
  #colors = new Map();
  #unknown;
  #onRow;
  #texts;

  /** @param {HTMLElement} list @param {TranscriptOptions} options */
  constructor(list, { speakers = [], unknown = '', onRow, texts = TEXTS }) {
    this.list = list;
    this.#unknown = unknown;
    this.#onRow = onRow;
    this.#texts = texts;
    for (const name of speakers) this.#toneOf(name);
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

  /** Loads the rows that are not in the page. @param {RecordingSource} source @param {Extent} extent @param {Listeners} listeners */
  async load(source, { revision, fromChunk, toChunk, totalChunks }, { onRows, onPage, onSuperseded }) {
    this.revision = revision;
    let chunk = fromChunk > 0 ? 0 : toChunk;
    let startsOver = fromChunk > 0;
    const named = [...this.list.querySelectorAll('b')].at(-1)?.textContent ?? '';
    let speaker = named === this.#unknown ? '' : named;
    const estimateHeight = this.#heightEstimate();
    while (chunk < totalChunks) {
      void showLoading(this.#texts.loading);
      const page = await source.fetchTranscript(chunk, CHUNKS_PER_REQUEST);
      if (source.isClosed) return;
      if (!page) {
        await showLoading(this.#texts.failed, true);
        continue;
      }
      this.revision ??= page.revision;
      if (page.revision !== this.revision) return onSuperseded();
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

  /**
   * Takes all segments as they are now, and changes the rows that differ. Returns which; null if they are other segments.
   * @param {readonly Segment[]} segments
   */
  update(segments) {
    if (!this.isComplete || segments.length !== this.items.length) return null;
    if (segments.some(({ start }, row) => start !== this.starts[row])) return null;
    return [...segments.keys()].filter((row) => this.#change(row, segments));
  }

  /** Changes only what differs, so that nothing else in the row is lost. @param {number} row @param {readonly Segment[]} segments */
  #change(row, segments) {
    const [shown, segment] = [this.items[row], segments[row]];
    if (!shown || !segment) return false;
    const isNamed = segment.speaker !== (segments[row - 1]?.speaker ?? '');
    const name = shown.querySelector('b');
    const isSame = (name?.textContent ?? '') === (isNamed ? segment.speaker || this.#unknown : '');
    if (isSame && this.texts[row] === segment.text) return false;
    if (!isSame) {
      name?.remove();
      shown.prepend(...this.rowOf(segment, isNamed).querySelectorAll('b'));
    }
    this.texts[row] = segment.text;
    shown.lastElementChild?.replaceChildren(segment.text);
    return true;
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

  /** @param {Segment[]} segments @param {string} speaker of the previous segment @param {(letters: number, rows: number, names: number) => number} estimateHeight */
  #append(segments, speaker, estimateHeight) {
    const group = make('ol');
    let [previous, letters] = [speaker, 0];
    for (const segment of segments) {
      group.append(this.rowOf(segment, segment.speaker !== previous));
      previous = segment.speaker;
      letters += segment.text.length;
    }
    group.style.containIntrinsicSize = `auto ${estimateHeight(letters, segments.length, group.querySelectorAll('b').length)}px`;
    this.list.insertBefore(group, find('loading', HTMLElement));
    this.#collect(group.querySelectorAll('li'));
  }

  /** Must match `transcript.eta` exactly. @param {Segment} segment @param {boolean} isNamed */
  rowOf(segment, isNamed) {
    const { start, text, speaker, noise } = segment;
    const row = make('li');
    if (noise) row.className = 'noise';
    const name = speaker || this.#unknown;
    if (isNamed && name !== '') {
      const className = `dot ${this.#toneOf(speaker)}`;
      row.append(make('b', { className, dir: 'auto', textContent: name }));
    }
    row.append(
      make('a', { href: `#t=${start}`, textContent: formatClock(start) }),
      make('p', { textContent: text }),
    );
    this.#onRow?.(row, segment);
    return row;
  }

  /** @param {string} speaker */
  #toneOf(speaker) {
    if (speaker === '') return 's0';
    const tone = this.#colors.get(speaker) ?? `s${this.#colors.size % 8}`;
    this.#colors.set(speaker, tone);
    return tone;
  }

  /** Estimates the height of rows from those in the page, so that scroll bars and jumps are right before rows are rendered. */
  #heightEstimate() {
    const known = this.list.querySelector('ol');
    const [letters, count] = [known?.textContent?.length ?? 0, known?.childElementCount ?? 0];
    const names = known?.querySelectorAll('b').length ?? 0;
    const textHeight = (known?.offsetHeight ?? 0) - count * ROW_PX - names * NAME_PX;
    const perLetter = letters > 0 ? Math.max(0.1, textHeight / letters) : 0.4;
    return (/** @type {number} */ size, /** @type {number} */ rows, /** @type {number} */ named) =>
      Math.round(size * perLetter + rows * ROW_PX + named * NAME_PX);
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
