import { useState } from 'preact/hooks';
import { usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, route } from '../router.js';
import { me } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatDate, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { FILTERS, ITEMS } from '../texts/insights.js';
import { Loading, More } from '../ui/parts.js';
import { ActionItem, Owners } from './action-item.js';
import { Filter } from '../ui/filter.js';
import { Filters, filtersOf } from './filters.js';

const STATES = /** @type {const} */ ([
  ['', FILTERS.open],
  ['true', FILTERS.done],
  ['all', FILTERS.all],
]);
const FIRST_PAGE = 50;

/** The action items of all meetings. */
export function View() {
  const { query } = route.value;
  const [state, owner] = [query.get('done'), query.get('owner')?.trim()];
  const filters = {
    ...filtersOf(),
    ...(state !== 'all' && { done: state === 'true' }),
    ...(owner && { owner }),
  };
  const pages = usePages('/action-items', { query: filters }, [JSON.stringify(filters)]);
  const [isStale, setStale] = useState(false);
  const showNew = () => {
    setStale(false);
    pages.reload();
  };
  useEvents(['action_item.', 'summary.', 'recording.deleted', 'recording.moved'], ({ data }) => {
    const item = 'action_item' in data && data.action_item;
    const shown = item && pages.items.find(({ id }) => id === item.id);
    // What has been ticked stays until the list is opened again: it may have been a mistake.
    if (shown) pages.change(shown.id, { ...shown, ...item });
    // Who has read on is not thrown back to the first page.
    else if (pages.items.length > FIRST_PAGE) setStale(true);
    else pages.reload();
  });
  return html`<${PageTitle} title=${t(FRAME.actionItems)} />
    <${Owners} names=${[me.value?.name, ...pages.items.map((item) => item.owner)]} />
    <${Filters}>
      <${Filter}
        name="done"
        label=${t(FILTERS.state)}
        options=${STATES.map(([key, text]) => [key, t(text)])}
      />
      <${Filter} name="owner" label=${t(ITEMS.owner)} type="search" maxlength=${200} list="owners" />
    <//>
    <div role="status">
      ${isStale && html`<p>${t(ITEMS.stale)} <button type="button" class="button" onClick=${showNew}>${t(ITEMS.showNew)}</button></p>`}
      ${!pages.isLoading && !pages.error && pages.items.length === 0 && html`<p class="loading-note">${t(ITEMS.none)}</p>`}
    </div>
    ${pages.isLoading && pages.items.length === 0 && html`<${Loading} />`}
    <ul class="action-items">
      ${pages.items.map((item) => {
        const page = at(`/recordings/${item.recording.id}`);
        return html`<li key=${item.id}>
          <${ActionItem} item=${item} recordingId=${item.recording.id} page=${page}>
            <a href=${page} dir="auto">${item.recording.title}</a>
            <span>${formatDate(item.recording.createdAt)}</span>
          <//>
        </li>`;
      })}
    </ul>
    <${More} of=${pages} />`;
}
