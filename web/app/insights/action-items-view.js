import { usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at } from '../router.js';
import { me } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatDate, t } from '../text.js';
import { COMMON, FRAME } from '../texts/common.js';
import { ITEMS } from '../texts/insights.js';
import { Filter, filterOf, Filters, meetingFilters } from '../ui/filters.js';
import { Loading, More } from '../ui/parts.js';
import { ActionItem, Owners } from './action-item.js';

/** By what the URL says: open ones without anything. */
const IS_DONE = { true: true, all: undefined };
const STATES = /** @type {const} */ ([
  ['', ITEMS.open],
  ['true', ITEMS.done],
  ['all', COMMON.all],
]);

/** The action items of all meetings. */
export function View() {
  const state = /** @type {keyof typeof IS_DONE} */ (filterOf('done'));
  const query = {
    ...meetingFilters(),
    done: state in IS_DONE ? IS_DONE[state] : false,
    owner: filterOf('owner'),
  };
  const pages = usePages('/action-items', { query }, [JSON.stringify(query)]);
  useEvents(['action_item.', 'summary.', 'recording.deleted', 'recording.moved'], ({ data }) => {
    const item = 'action_item' in data && data.action_item;
    const shown = item && pages.items.find(({ id }) => id === item.id);
    // What has been ticked stays until the list is opened again: it may have been a mistake.
    if (shown) pages.change(shown.id, { ...shown, ...item });
    else pages.reload();
  });
  const isEmpty = pages.items.length === 0;
  return html`<${PageTitle} title=${t(FRAME.actionItems)} />
    <${Owners} names=${[me.value?.name, ...pages.items.map((item) => item.owner)]} />
    <${Filters}>
      <${Filter}
        name="done"
        label=${t(COMMON.status)}
        options=${STATES.map(([key, text]) => [key, t(text)])}
      />
      <${Filter} name="owner" label=${t(ITEMS.owner)} type="search" maxlength=${200} list="owners" />
    <//>
    <div role="status">
      ${isEmpty && !pages.isLoading && !pages.error && html`<p class="loading-note">${t(ITEMS.none)}</p>`}
    </div>
    ${isEmpty && pages.isLoading && html`<${Loading} />`}
    <ul class="entries">
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
