import { useState } from 'preact/hooks';
import { formatClock } from '../../share/scripts/moments.js';
import { api } from '../api.js';
import { html } from '../html.js';
import { at } from '../router.js';
import { nameOfOrganization } from '../session.js';
import { formatTime, language, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST, STATES } from '../texts/library.js';
import { Menu } from '../ui/parts.js';
import { nameOfFolder } from '../folders.js';
import { isWorking } from './progress.js';
import { deleteSoon, mayChange, move, rename } from './recording-actions.js';
import { place, update } from './recordings.js';
import { selected } from './selection.js';
import { markRead, unread } from './unread.js';

/** @import { Row } from './recordings.js' */
/** @typedef {{ row: Row, index: number, top: number, total: number, onSelect: (id: string, event: MouseEvent) => void }} Props */

/** A recording in the list. @param {Props} props */
export function RecordingRow({ row, index, top, total, onSelect }) {
  const { id, title } = row;
  const values = { title };
  const isSelected = selected.value.has(id);
  return html`<li
    class=${isSelected ? 'row on' : 'row'}
    data-id=${id}
    style=${{ top: `${top}px` }}
    aria-setsize=${total}
    aria-posinset=${index + 1}
  >
    ${
      mayChange(row) &&
      html`<input
        type="checkbox"
        class="pick"
        aria-label=${t(LIST.select, values)}
        checked=${isSelected}
        onClick=${(/** @type {MouseEvent} */ event) => onSelect(id, event)}
      />`
    }
    <${Thumbnail} row=${row} />
    <div class="recording-text">
      <${TitleLink} row=${row} />
      <${Facts} row=${row} />
    </div>
    ${
      mayChange(row) &&
      html`<${Menu} isIcon label=${t(LIST.actionsOf, values)}>
        <button onClick=${() => rename(row)}>${t(LIST.rename)}</button>
        <button onClick=${() => move([row])}>${t(LIST.move)}</button>
        <button onClick=${() => deleteSoon([row])}>${t(COMMON.delete)}</button>
      <//>`
    }
  </li>`;
}

/** The title, which leads to the recording; `children`: with marks, of one that was found. @param {{ row: Row, children?: unknown }} props */
export function TitleLink({ row: { id, title }, children = title }) {
  const isNew = unread.value.has(id);
  return html`<a
    class=${isNew ? 'recording-title new' : 'recording-title'}
    href=${at(`/recordings/${id}`)}
    onClick=${() => open(id)}
    >${isNew && html`<span class="unseen">${t(LIST.changed)}: </span>`}<bdi>${children}</bdi></a
  >`;
}

/** @param {string} id */
function open(id) {
  place.opened = id;
  markRead(id);
}

/** Whose it is, where, and from when. @param {{ row: Row }} props */
export function Facts({ row }) {
  const { owner, organizationId, createdAt } = row;
  const where = organizationId ? nameOfOrganization(organizationId) : t(COMMON.personal);
  const facts = [owner ? owner.name : t(LIST.unknownOwner), where, nameOfFolder(row)];
  return html`<p class="hint">
    <${State} row=${row} />
    <time datetime=${createdAt}>${formatTime(createdAt)}</time>
    ${facts.map((fact) => fact && html` · <bdi>${fact}</bdi>`)}
  </p>`;
}

/** A picture of it, or what stands for one. @param {{ row: Row }} props */
export function Thumbnail({ row }) {
  const { thumbnailUrl, duration } = row;
  const [failed, setFailed] = useState('');
  const onError = async () => {
    setFailed(thumbnailUrl ?? '');
    // Its URL has expired, unless the next one fails too.
    if (!failed) update([await api.get('/recordings/{id}', { path: { id: row.id } })]);
  };
  return html`<div class="thumbnail" aria-hidden="true">
    ${
      thumbnailUrl && thumbnailUrl !== failed
        ? html`<img
            src=${thumbnailUrl}
            alt=""
            loading="lazy"
            decoding="async"
            onError=${() => onError().catch(() => undefined)}
          />`
        : html`<span>${kindOf(row)}</span>`
    }
    ${duration !== null && html`<span class="length">${formatClock(duration)}</span>`}
    ${isWorking(row) && html`<span class="so-far" style=${{ width: `${row.progress * 100}%` }}></span>`}
  </div>`;
}

/** @param {Row} row */
function kindOf({ status, media }) {
  if (status === 'ERROR') return '!';
  if (media === 'pending') return status === 'RECORDING' ? '●' : '…';
  return media === 'none' ? '≡' : '♪';
}

/** @param {{ row: Row }} props */
function State({ row: { status, progress } }) {
  const text = STATES[status];
  const percent = progress.toLocaleString(language, { style: 'percent' });
  return text ? html`<span class=${`state ${status}`}>${t(text, { percent })}</span>` : null;
}
