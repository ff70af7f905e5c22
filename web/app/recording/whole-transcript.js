import { find } from '../../share/scripts/dom.js';
import { Search } from '../../share/scripts/search.js';
import { TranscriptFollower } from '../../share/scripts/transcript-follower.js';
import { Transcript } from '../../share/scripts/transcript.js';
import { api } from '../api.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { TRANSCRIPT } from '../texts/recording.js';
import { attempt } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { saveOver } from './conflicts.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Parts } from './parts.js' */
/** @typedef {Schemas['TranscriptSegment']} Segment */
/** @typedef {{ parts: Parts, id: string, onRow?: (row: HTMLElement, segment: Segment) => void, onOther: () => void }} WholeOptions `onOther`: it consists of other segments now */

/** A transcript that is complete: its rows, followed and searched as on share pages, and what people correct in it. */
export class WholeTranscript {
  #id;
  #parts;
  #onOther;
  #rows;
  /** @type {Segment[]} By their ids. */
  segments = [];

  /** @param {HTMLElement} list @param {WholeOptions} options */
  constructor(list, { parts, id, onRow, onOther }) {
    this.#id = id;
    this.#parts = parts;
    this.#onOther = onOther;
    this.#rows = new Transcript(list);
    this.#rows.unknown = t(TRANSCRIPT.unknown);
    this.#rows.onRow = (row, segment) => {
      const known = /** @type {Segment} */ (segment);
      this.segments[known.id] = known;
      onRow?.(row, known);
    };
    this.#connect();
  }

  #connect() {
    const [transcript, parts] = [this.#rows, this.#parts];
    const follower = new TranscriptFollower(transcript);
    parts.follower = follower;
    if (parts.player?.isStarted) follower.mark(parts.player.position);
    const goTo = (/** @type {number} */ seconds) => parts.navigation.goTo(seconds, !parts.player?.isPaused);
    const [form, field] = [find('search', HTMLFormElement), find('query', HTMLInputElement)];
    if (form && field)
      parts.search = new Search(form, field, {
        transcript,
        follower,
        goTo,
      });
  }

  async load() {
    const all = { revision: null, fromChunk: 0, toChunk: 0, totalChunks: Infinity };
    await this.#rows.load(this, all, {
      onRows: (from) => this.#parts.search?.rowsAdded(from),
      onPage: () => this.#parts.follower?.update(),
      onSuperseded: this.#onOther,
    });
    if (!this.#parts.video) this.#parts.navigation.openUrl();
  }

  get isClosed() {
    return this.#parts.source.isClosed;
  }

  /** A page, whose new speakers get a color. @param {number} startChunk @param {number} chunks */
  async fetchTranscript(startChunk, chunks) {
    const page = await this.#parts.source.fetchTranscript(startChunk, chunks);
    const { tones } = this.#rows;
    for (const name of page?.speakers ?? []) tones.set(name, tones.get(name) ?? `s${tones.size % 8}`);
    return page;
  }

  /** @param {Element} row */
  numberOf(row) {
    return this.#rows.items.findIndex((item) => item === row);
  }

  /** @param {number} number */
  rowOf(number) {
    return this.#rows.items[number];
  }

  get speakers() {
    return [...new Set(this.segments.map(({ speaker }) => speaker))].filter((name) => name !== '');
  }

  /** The first and the last segment of a passage: what its speaker says without a break. @param {number} number of its first segment */
  passageAt(number) {
    const rest = this.segments.slice(number);
    const next = rest.findIndex(({ speaker }) => speaker !== rest[0]?.speaker);
    return { first: number, last: next < 0 ? this.segments.length - 1 : number + next - 1 };
  }

  /** Shows it as it is now, after somebody has changed it; `revision`: not if it is shown already. @param {number} [revision] @returns {Promise<void>} */
  async refresh(revision) {
    const rows = this.#rows;
    if (!rows.isComplete || (revision !== undefined && revision === rows.revision)) return;
    /** @type {Segment[]} */
    const segments = [];
    for (let chunk = 0; ; chunk += 100) {
      const page = await this.fetchTranscript(chunk, 100);
      if (!page) return;
      // It has changed again between two pages.
      if (chunk > 0 && page.revision !== rows.revision) return this.refresh();
      rows.revision = page.revision;
      segments.push(...page.segments);
      if (!page.pagination.has_more) break;
    }
    this.#show(segments);
  }

  /** @param {Segment[]} segments */
  #show(segments) {
    const { items, starts } = this.#rows;
    const isOther =
      segments.length !== items.length || segments.some(({ start, id }) => start !== starts[id]);
    if (isOther) return this.#onOther();
    this.segments = segments;
    for (const segment of segments) this.#showRow(segment);
  }

  /** Changes only what differs, so that nothing else in the row is lost. @param {Segment} segment */
  #showRow(segment) {
    const { items, texts, unknown } = this.#rows;
    const row = /** @type {HTMLElement} */ (items[segment.id]);
    const isNamed = segment.speaker !== (this.segments[segment.id - 1]?.speaker ?? '');
    const name = row.querySelector('b');
    if ((name?.textContent ?? '') !== (isNamed ? segment.speaker || unknown : '')) {
      name?.remove();
      row.prepend(...this.#rows.rowOf(segment, isNamed).querySelectorAll('b'));
    }
    if (texts[segment.id] === segment.text) return;
    texts[segment.id] = segment.text;
    row.lastElementChild?.replaceChildren(segment.text);
    this.#parts.search?.rowChanged(segment.id);
  }

  /** Corrects a text, unless it is no longer `isChanged` from what was corrected. @param {number} number @param {string} text @param {() => boolean} isChanged */
  async correct(number, text, isChanged) {
    const path = { id: this.#id, segmentId: number };
    await saveOver({
      isChanged,
      reload: () => this.refresh(),
      send: () =>
        this.#change(t(TRANSCRIPT.corrected), async (revision) => {
          const corrected = await api.patch('/recordings/{id}/transcript/segments/{segmentId}', {
            path,
            body: { text },
            revision,
          });
          const changed = this.segments.map((one) => (one.id === number ? { ...one, ...corrected } : one));
          this.#rows.revision = corrected.revision;
          this.#show(changed);
        }),
    });
  }

  /** Names a speaker: everywhere, or in some segments. @param {string} from @param {string} to @param {{ first: number, last: number }} [segments] */
  async name(from, to, segments) {
    const body = { from, to, ...(segments && { segments }) };
    const path = { id: this.#id };
    const send = () =>
      this.#change(t(TRANSCRIPT.named, { name: to }), async (revision) => {
        await api.patch('/recordings/{id}/transcript/speakers', { path, body, revision });
        await this.refresh();
      });
    await saveOver({ isChanged: () => false, send, reload: () => this.refresh() });
  }

  /** Brings back a revision. @param {number} revision */
  async restore(revision) {
    await this.#change(t(TRANSCRIPT.restored), (current) => this.#restore(revision, current));
  }

  /** @param {number} revision @param {number} current */
  async #restore(revision, current) {
    const path = { id: this.#id, revision };
    await api.post('/recordings/{id}/transcript/revisions/{revision}/restore', { path, revision: current });
    await this.refresh();
  }

  /** Changes something, and offers to undo it. @param {string} text @param {(revision: number) => Promise<unknown>} change */
  async #change(text, change) {
    const before = this.#rows.revision ?? 0;
    await change(before);
    const after = this.#rows.revision ?? 0;
    const run = () => {
      remove();
      // Refused once others have changed it too.
      void attempt(() => this.#restore(before, after));
    };
    const remove = say({ text, action: { label: t(COMMON.undo), run } }, 10_000);
  }
}
