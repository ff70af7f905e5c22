import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/library.js';
import { deleteSoon, mayChange, move } from './recording-actions.js';
import { list } from './recordings.js';

/** @import { Row } from './recordings.js' */

/** The ids of the recordings that are selected. @type {import('@preact/signals').Signal<ReadonlySet<string>>} */
export const selected = signal(new Set());
/** Where a range begins. */
let anchor = '';

/** Selects a row or not; with the shift key, also all between it and the one before. @param {string} id @param {MouseEvent} event of its box */
export function select(id, { shiftKey, currentTarget }) {
  const { rows } = list.peek();
  const { checked } = /** @type {HTMLInputElement} */ (currentTarget);
  const ends = [id, shiftKey ? anchor : id].map((one) => rows.findIndex((row) => row.id === one));
  const [first = 0] = ends;
  const [from, to] = ends.includes(-1) ? [first, first] : [Math.min(...ends), Math.max(...ends)];
  const next = new Set(selected.peek());
  for (const row of rows.slice(from, to + 1)) if (mayChange(row)) next[checked ? 'add' : 'delete'](row.id);
  selected.value = next;
  anchor = id;
}

/** How many recordings there are, and what can be done with those that are selected. @param {{ rows: readonly Row[], total: number }} props */
export function SelectionBar({ rows, total }) {
  const chosen = rows.filter(({ id }) => selected.value.has(id));
  const possible = rows.filter(mayChange);
  const { length } = chosen;
  const isAll = length > 0 && length === possible.length;
  const selectAll = () => (selected.value = new Set(isAll ? [] : possible.map(({ id }) => id)));
  const all = useRef(/** @type {HTMLInputElement | null} */ (null));
  const clear = () => {
    // The button that was pressed goes.
    all.current?.focus();
    selected.value = new Set();
  };
  const remove = () => {
    deleteSoon(chosen);
    clear();
  };
  return html`<div class=${length > 0 ? 'selection on' : 'selection'}>
    ${
      possible.length > 0 &&
      html`<input
        ref=${all}
        type="checkbox"
        class="pick"
        aria-label=${t(LIST.selectAll)}
        title=${t(LIST.selectAll)}
        checked=${isAll}
        indeterminate=${length > 0 && !isAll}
        onClick=${selectAll}
      />`
    }
    <span role="status">${length > 0 ? t(LIST.selected, { n: length }) : t(LIST.count, { n: total })}</span>
    ${
      length > 0 &&
      html`<button class="button" onClick=${() => move(chosen)}>${t(LIST.move)}</button>
        <button class="button danger" onClick=${remove}>${t(COMMON.delete)}</button>
        <button class="button" onClick=${clear}>${t(LIST.clear)}</button>`
    }
  </div>`;
}
