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

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Parts } from './parts.js' */
/** @typedef {Schemas['TranscriptSegment']} Segment */
/** @typedef {{ id: string, onRow?: (row: HTMLElement, segment: Segment) => void, onOther: () => void }} WholeOptions `onOther`: it consists of other segments now */

/** A transcript that is complete: its rows, followed and searched as on share pages, and what people correct in it. */
export class WholeTranscript extends Transcript {
  #path;
  #parts;
  #onOther;
  /** @type {Segment[]} By their ids. */
  segments = [];
  /** @type {number | null} */
  revision = null;

  /** @param {HTMLElement} list @param {Parts} parts @param {WholeOptions} options */
  constructor(list, parts, { id, onRow, onOther }) {
    super(list);
    this.#path = { id };
    this.#parts = parts;
    this.#onOther = onOther;
    this.unknown = t(TRANSCRIPT.unknown);
    this.onRow = (
      /** @type {HTMLElement} */ row,
      /** @type {any} Of the API, not only of share pages. */ segment,
    ) => {
      this.segments[segment.id] = segment;
      onRow?.(row, segment);
    };
  }

  /** Loads all of it, and connects it with the other parts of the view. */
  async begin() {
    const { navigation, player } = this.#parts;
    const follower = new TranscriptFollower(this);
    if (player?.isStarted) follower.mark(player.position);
    const goTo = (/** @type {number} */ seconds) => navigation.goTo(seconds, !this.#parts.player?.isPaused);
    const [form, field] = [find('search', HTMLFormElement), find('query', HTMLInputElement)];
    const search = form && field && new Search(form, field, { transcript: this, follower, goTo });
    Object.assign(this.#parts, { follower, search });
    const all = { revision: null, fromChunk: 0, toChunk: 0, totalChunks: Infinity };
    await this.load(this.#parts.source, all, {
      onRows: (from) => search?.rowsAdded(from),
      onPage: () => follower.update(),
      onSuperseded: this.#onOther,
    });
    if (!this.#parts.video) navigation.openUrl();
  }

  /** Shows it as it is now, after somebody has changed it; `revision`: not if it is shown already. @param {number} [revision] @returns {Promise<void>} */
  async refresh(revision) {
    if (!this.isComplete || (revision !== undefined && revision === this.revision)) return;
    /** @type {Segment[]} */
    const segments = [];
    for (let chunk = 0; ; chunk += 100) {
      const page = await this.#parts.source.fetchTranscript(chunk, 100);
      if (!page) return;
      this.addSpeakers(page.speakers);
      // It has changed again between two pages.
      if (chunk > 0 && page.revision !== this.revision) return this.refresh();
      this.revision = page.revision;
      segments.push(...page.segments);
      if (!page.pagination.has_more) break;
    }
    this.#show(segments);
  }

  /** @param {Segment[]} segments */
  #show(segments) {
    const isOther =
      segments.length !== this.items.length || segments.some(({ start, id }) => start !== this.starts[id]);
    if (isOther) return this.#onOther();
    this.segments = segments;
    for (const segment of segments) this.#showRow(segment);
  }

  /** Changes only what differs, so that nothing else in the row is lost. @param {Segment} segment */
  #showRow(segment) {
    const { id, speaker, text } = segment;
    const row = /** @type {HTMLElement} */ (this.items[id]);
    const isNamed = speaker !== (this.segments[id - 1]?.speaker ?? '');
    const name = row.querySelector('b');
    if ((name?.textContent ?? '') !== (isNamed ? speaker || this.unknown : '')) {
      name?.remove();
      row.prepend(...this.rowOf(segment, isNamed).querySelectorAll('b'));
    }
    if (this.texts[id] === text) return;
    this.texts[id] = text;
    row.lastElementChild?.replaceChildren(text);
    this.#parts.search?.rowChanged(id);
  }

  /** Corrects the text of a segment. @param {number} segmentId @param {string} text @param {number} revision that was corrected */
  async correct(segmentId, text, revision) {
    const path = { ...this.#path, segmentId };
    const call = { path, body: { text }, revision };
    const corrected = await api.patch('/recordings/{id}/transcript/segments/{segmentId}', call);
    this.revision = corrected.revision;
    this.#show(this.segments.map((one) => (one.id === segmentId ? { ...one, ...corrected } : one)));
    this.#offerUndo(t(TRANSCRIPT.corrected), revision);
  }

  /** Names a speaker: everywhere, or in some segments. @param {string} from @param {string} to @param {{ first: number, last: number }} [segments] */
  async name(from, to, segments) {
    const revision = this.revision ?? 0;
    const body = { from, to, ...(segments && { segments }) };
    await api.patch('/recordings/{id}/transcript/speakers', { path: this.#path, body, revision });
    await this.refresh();
    this.#offerUndo(t(TRANSCRIPT.named, { name: to }), revision);
  }

  /** Brings back a revision. @param {number} revision */
  async restore(revision) {
    const before = this.revision ?? 0;
    await this.#restore(revision, before);
    this.#offerUndo(t(TRANSCRIPT.restored), before);
  }

  /** @param {number} revision @param {number} current */
  async #restore(revision, current) {
    const path = { ...this.#path, revision };
    await api.post('/recordings/{id}/transcript/revisions/{revision}/restore', { path, revision: current });
    await this.refresh();
  }

  /** Says what was done, and offers to undo it. @param {string} text @param {number} before */
  #offerUndo(text, before) {
    const after = this.revision ?? 0;
    const run = () => {
      remove();
      // Refused once others have changed it too.
      void attempt(() => this.#restore(before, after));
    };
    const remove = say({ text, action: { label: t(COMMON.undo), run } }, 10_000);
  }
}
