import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { at, route, setQuery } from '../router.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { FILTERS, LIST } from '../texts/library.js';
import { Loading, Problem } from '../ui/parts.js';
import { clearFilters, countFilters, Filters, queryOf } from './filters.js';
import { OpenedDialog } from './recording-actions.js';
import { RecordingList } from './recording-list.js';
import { list, more, place, show } from './recordings.js';
import { SearchResults } from './search-results.js';
import { SelectionBar } from './selection.js';

/** @import { Query } from './filters.js' */

const TYPING_MS = 250;
const MAX_WORDS = 200;

/** The recordings of a user: all, those that match filters, or what a search finds. */
export function View() {
  const { query: params } = route.value;
  const query = queryOf(params);
  const words = params.get('q')?.trim() ?? '';
  const [isReturning] = useState(() => place.entry > 0 && history.state?.list === place.entry);
  useLayoutEffect(() => {
    place.entry = history.state?.list ?? Date.now();
    history.replaceState({ list: place.entry }, '');
  }, [params]);
  return html`<${PageTitle} title=${t(FRAME.recordings)} takesFocus=${!isReturning || words !== ''}>
      <${SearchField} />
    <//>
    <${Filters} />
    ${
      words
        ? html`<${SearchResults} words=${words} query=${query} />`
        : html`<${Recordings}
            query=${query}
            isFiltered=${countFilters(params) > 0}
            isReturning=${isReturning}
          />`
    }
    <${OpenedDialog} />`;
}

/** Searches as one types; `/` leads to it. */
function SearchField() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const timer = useRef(0);
  const words = route.value.query.get('q') ?? '';
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
      aria-label=${t(FILTERS.search)}
      aria-keyshortcuts="/"
      placeholder=${t(FILTERS.search)}
      defaultValue=${words}
      onInput=${onInput}
      onChange=${search}
    />
    <kbd aria-hidden="true">/</kbd>
  </search>`;
}

/** @param {{ query: Query, isFiltered: boolean, isReturning: boolean }} props */
function Recordings({ query, isFiltered, isReturning }) {
  const key = JSON.stringify(query);
  const returnsTo = useRef(isReturning ? key : null);
  useLayoutEffect(() => {
    show(key, query);
    // Other filters are no return.
    if (returnsTo.current !== key) returnsTo.current = null;
  }, [key]);
  const { rows, total, cursor, isLoading, error, ...shown } = list.value;
  if (shown.key !== key) return html`<${Loading} />`;
  if (rows.length === 0 && error) return html`<${Problem} error=${error} onRetry=${more} />`;
  if (rows.length === 0 && (isLoading || cursor === undefined)) return html`<${Loading} />`;
  if (rows.length === 0) return isFiltered ? html`<${NothingMatches} />` : html`<${Empty} />`;
  return html`<${SelectionBar} rows=${rows} total=${total} />
    <${RecordingList} key=${key} rows=${rows} total=${total} isReturning=${returnsTo.current === key} />
    ${error !== undefined && html`<${Problem} error=${error} onRetry=${more} />`}`;
}

const NothingMatches = () =>
  html`<div class="nothing" role="status">
    <p>${t(FILTERS.nothing)}</p>
    <button type="button" class="button" onClick=${clearFilters}>${t(FILTERS.clear)}</button>
  </div>`;

const upload = async () => (await import('../uploads/panel.js')).chooseFiles();

function Empty() {
  return html`<div class="nothing">
    <h2>${t(LIST.empty)}</h2>
    <p>${t(LIST.emptyText)}</p>
    <p>
      <button type="button" class="button main" onClick=${upload}>${t(FRAME.upload)}</button>
      <a class="button" href=${at('/record')}>${t(FRAME.record)}</a>
    </p>
  </div>`;
}
