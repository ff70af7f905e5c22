import { find, make, rootOf, setText } from './dom.js';
import { formatClock, lastStarted, parseMoment } from './moments.js';

/** @import { Extent, Listeners, TranscriptSource, Segment } from './types.js' */

const CHUNKS_PER_REQUEST = 100;
const ROWS_PER_LIST = 20;
/** Height of a row's clock and margins. */
const ROW_PX = 34;

/** The rows of the transcript: those in the page, and the others once they are loaded. */
export class Transcript {
  static texts = { loading: 'Loading transcript…', failed: "Couldn't load the rest of the transcript." };
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
  tones;
  /** Adds controls to a row, before its text. @type {((row: HTMLElement, segment: Segment) => void) | undefined} */
  onRow;

  /** Label for segments without a speaker, shown only if other speakers are named. */
  unknown;
  #messages;

  /** @param {HTMLElement} list @param {typeof Transcript.texts} [messages] */
  constructor(list, messages = Transcript.texts) {
    this.list = list;
    this.#messages = messages;
    const names = rootOf(list).querySelectorAll('.people .dot');
    this.tones = new Map([...names].map((name, index) => [name.textContent, `s${index % 8}`]));
    this.unknown = names.length > 0 ? 'Unknown speaker' : '';
    this.#collect(list.querySelectorAll('li'));
  }

  /** Gives each new speaker a color. @param {readonly string[]} [names] */
  addSpeakers(names = []) {
    const { tones } = this;
    for (const name of names) tones.set(name, tones.get(name) ?? `s${tones.size % 8}`);
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

  /** Loads the rows that are not in the page. @param {TranscriptSource} source @param {Extent} extent @param {Listeners} listeners */
  async load(source, { revision, fromChunk, toChunk, totalChunks }, { onRows, onPage, onSuperseded }) {
    this.revision = revision;
    let chunk = fromChunk > 0 ? 0 : toChunk;
    let startsOver = fromChunk > 0;
    const named = [...this.list.querySelectorAll('b')].at(-1)?.textContent ?? '';
    let speaker = named === this.unknown ? '' : named;
    let estimateHeight = this.#heightEstimate();
    while (chunk < totalChunks) {
      void this.#showLoading(this.#messages.loading);
      const page = await source.fetchTranscript(chunk, CHUNKS_PER_REQUEST);
      if (source.isClosed) return;
      if (!page) {
        await this.#showLoading(this.#messages.failed, true);
        continue;
      }
      this.revision ??= page.revision;
      this.addSpeakers(page.speakers);
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
        if (from === 0) estimateHeight = this.#heightEstimate();
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
    void this.#showLoading(null);
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
    let previous = speaker;
    for (const segment of segments) {
      group.append(this.rowOf(segment, segment.speaker !== previous));
      previous = segment.speaker;
    }
    const height = estimateHeight(group.textContent?.length ?? 0, segments.length);
    group.style.containIntrinsicSize = `auto ${height}px`;
    this.list.insertBefore(group, find('loading', HTMLElement, this.list));
    this.#collect(group.querySelectorAll('li'));
  }

  /** Must match `transcript.eta` exactly. @param {Segment} segment @param {boolean} isNamed */
  rowOf(segment, isNamed) {
    const { start, text, speaker, noise } = segment;
    const row = make('li');
    if (noise) row.className = 'noise';
    const name = speaker || this.unknown;
    if (isNamed && name !== '') {
      const className = `dot ${this.tones.get(speaker) ?? 's0'}`;
      row.append(make('b', { className, dir: 'auto', textContent: name }));
    }
    row.append(
      make('a', { href: `#t=${start}`, textContent: formatClock(start) }),
      make('p', { textContent: text }),
    );
    this.onRow?.(row, segment);
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

  /** Null hides the line. With `offersRetry`, resolves when the retry button is pressed. @param {string | null} text @param {boolean} [offersRetry] */
  async #showLoading(text, offersRetry = false) {
    const line = find('loading', HTMLElement, this.list);
    const button = find('load-again', HTMLElement, this.list);
    if (!line || !button) return;
    line.hidden = text === null;
    setText('loading-text', text ?? '', line);
    button.hidden = !offersRetry;
    if (offersRetry)
      await new Promise((resolve) => button.addEventListener('click', resolve, { once: true }));
  }
}
