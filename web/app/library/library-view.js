import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { at, route, setQuery } from '../router.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { COMMON, FRAME } from '../texts/common.js';
import { LIST, STATUSES } from '../texts/library.js';
import { ClearFilters, Filter, filterOf, Filters, isFiltered, meetingFilters } from '../ui/filters.js';
import { Loading, Problem } from '../ui/parts.js';
import { RecordingList } from './recording-list.js';
import { list, more, place, show } from './recordings.js';
import { SearchResults } from './search-results.js';
import { SelectionBar } from './selection.js';

/** @import { Query } from './recordings.js' */

const TYPING_MS = 250;
const MAX_WORDS = 200;
/** What each choice of the filter asks for. @type {Readonly<Record<string, Query['status']>>} */
const IN_STATUS = {
  live: ['STARTING', 'CONNECTING', 'WAIT_APPROVAL', 'RECORDING'],
  making: ['UPLOADING', 'PROCESSING', 'TRANSCODING'],
  ready: ['MIGRATING', 'COMPLETED'],
  failed: ['ERROR'],
};
const CHOICES = Object.entries({ '': COMMON.all, ...STATUSES });

/** The recordings of a user: all, those that match filters, or what a search finds. */
export function View() {
  const { query: params } = route.value;
  const query = { ...meetingFilters(), status: IN_STATUS[filterOf('status') ?? ''] };
  const words = filterOf('q') ?? '';
  const [isReturning] = useState(() => place.entry > 0 && history.state?.list === place.entry);
  useLayoutEffect(() => {
    place.entry = history.state?.list ?? Date.now();
    history.replaceState({ list: place.entry }, '');
  }, [params]);
  return html`<${PageTitle} title=${t(FRAME.recordings)} takesFocus=${!isReturning || words !== ''}>
      <${SearchField} />
    <//>
    <${Filters}>
      <${Filter}
        name="status"
        label=${t(COMMON.status)}
        options=${CHOICES.map(([key, text]) => [key, t(text)])}
      />
    <//>
    ${
      words
        ? html`<${SearchResults} words=${words} query=${query} />`
        : html`<${Recordings} query=${query} isReturning=${isReturning} />`
    }`;
}

/** Searches as one types; `/` leads to it. */
function SearchField() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const timer = useRef(0);
  const words = filterOf('q') ?? '';
  useEffect(() => {
    const onKey = (/** @type {KeyboardEvent} */ event) => {
      const target = /** @type {Element} */ (event.target);
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest('dialog, input:not([type=checkbox]), select, textarea')) return;
      event.preventDefault();
      input.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      clearTimeout(timer.current);
    };
  }, []);
  useEffect(() => {
    // Another search by a link; what is being typed stays.
    if (input.current && input.current.value.trim() !== words) input.current.value = words;
  }, [words]);
  const search = () => setQuery({ q: input.current?.value.trim() });
  const onInput = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, TYPING_MS);
  };
  return html`<search class="search">
    <input
      ref=${input}
      type="search"
      maxlength=${MAX_WORDS}
      dir="auto"
      aria-label=${t(LIST.search)}
      aria-keyshortcuts="/"
      placeholder=${t(LIST.search)}
      defaultValue=${words}
      onInput=${onInput}
      onChange=${search}
    />
    <kbd aria-hidden="true">/</kbd>
  </search>`;
}

/** @param {{ query: Query, isReturning: boolean }} props */
function Recordings({ query, isReturning }) {
  const key = JSON.stringify(query);
  const returnsTo = useRef(isReturning ? key : null);
  useLayoutEffect(() => {
    show(key, query);
    // Other filters are no return.
    if (returnsTo.current !== key) returnsTo.current = null;
  }, [key]);
  const { rows, total, cursor, error, ...shown } = list.value;
  const problem = error !== undefined && html`<${Problem} error=${error} onRetry=${more} />`;
  if (shown.key === key && rows.length > 0)
    return html`<${SelectionBar} rows=${rows} total=${total} />
      <${RecordingList} key=${key} rows=${rows} total=${total} isReturning=${returnsTo.current === key} />
      ${problem}`;
  if (shown.key !== key || shown.isLoading || (cursor === undefined && !problem)) return html`<${Loading} />`;
  return problem || html`<${Nothing} />`;
}

const upload = async () => (await import('../uploads/panel.js')).chooseFiles();

const Nothing = () =>
  isFiltered()
    ? html`<div class="nothing" role="status">
        <p>${t(LIST.noneMatches)}</p>
        <${ClearFilters} />
      </div>`
    : html`<div class="nothing">
        <h2>${t(LIST.empty)}</h2>
        <p>${t(LIST.emptyText)}</p>
        <p>
          <button class="button main" onClick=${upload}>${t(FRAME.upload)}</button>
          <a class="button" href=${at('/record')}>${t(FRAME.record)}</a>
        </p>
      </div>`;
