import { useEffect, useRef } from 'preact/hooks';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { route, setQuery } from '../router.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { LIST } from '../texts/manage.js';
import { Loading, Menu, More, Problem } from '../ui/parts.js';
import { perform } from './actions.js';

/** @import { Text } from '../text.js' */
/** @import { Action } from './actions.js' */
/** What `usePages` has; of a list without pages, what `allOf` and `useAll` make of it. @template T @typedef {{ items: readonly T[], error?: unknown, isLoading: boolean, hasMore: boolean, more: () => unknown, reload: () => void }} Rows */
/** @template T @typedef {readonly [label: Text, cell: (row: T) => unknown]} Column */
/**
 * A list, described by data. `load` is a hook; `live`: types of events after which it is loaded again; `nameOf`: without it, there are no actions.
 * @template T, C @typedef {{ empty: Text, about?: Text, searches?: boolean, live: readonly string[], load: (context: C) => Rows<T>, columns: (context: C) => readonly Column<T>[], nameOf?: (row: T) => string, actions?: (row: T, context: C) => readonly (Action | false)[], create?: (context: C) => Action | false }} Resource
 */

/** A list without pages. @template T @param {{ data?: readonly T[], error?: unknown, isLoading: boolean, reload: () => void }} loaded @returns {Rows<T>} */
export const allOf = ({ data = [], reload, ...state }) => ({
  ...state,
  items: data,
  hasMore: false,
  more: reload,
  reload,
});

/** Loads a list without pages. @template T @param {(signal: AbortSignal) => Promise<readonly T[]>} load @param {readonly unknown[]} inputs loads again once one has changed */
export const useAll = (load, inputs) => allOf(useData(load, inputs));

/** What is searched for, in the URL. */
export const searched = () => route.value.query.get('search') || undefined;

/** The heading of a section, with what can be done in it. @param {{ title: string, about?: Text, isPage?: boolean, children?: unknown }} props */
export function Head({ title, about, isPage, children }) {
  const heading = isPage
    ? html`<${PageTitle} title=${title}>${children}<//>`
    : html`<div class="title">
        <h2 tabindex="-1">${title}</h2>
        ${children}
      </div>`;
  return html`${heading} ${about && html`<p class="hint">${t(about)}</p>`}`;
}

/** Shows a list as a table, whose rows are cards on phones. @param {{ of: Resource<any, any>, context: object, title: string, isPage?: boolean, children?: unknown }} props rows and context are as the resource says */
export function List({ of, context, title, isPage, children }) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const rows = of.load(context);
  const { items, error, isLoading, reload } = rows;
  useEvents(of.live, reload);
  const count = useRef(0);
  useEffect(() => {
    const isFewer = items.length < count.current;
    count.current = items.length;
    // What had the focus may have been removed.
    if (isFewer && document.activeElement === document.body)
      /** @type {HTMLElement | null} */ (section.current?.querySelector('h1, h2'))?.focus();
  }, [items.length]);
  const create = of.create?.(context);
  const isEmpty = items.length === 0;
  return html`<section ref=${section} aria-label=${title}>
    <${Head} title=${title} about=${of.about} isPage=${isPage}>
      ${create && html`<button type="button" class=${isPage ? 'button main' : 'button'} onClick=${() => perform(create, reload)}>${t(create.label)}</button>`}
    <//>
    ${of.searches && (items.length > 10 || searched()) && html`<${Search} />`} ${children}
    ${!isEmpty && html`<${Table} ...${{ of, context, title, items, reload }} />`}
    ${isEmpty && !error && (isLoading ? html`<${Loading} />` : !rows.hasMore && html`<p class="note">${t(of.empty)}</p>`)}
    <p class="unseen" role="status">${!isLoading && t(LIST.shown, { n: items.length })}</p>
    ${error && isEmpty ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${More} of=${rows} />`}
  </section>`;
}

/** @param {Event} event */
const search = ({ currentTarget: input }) =>
  setQuery({ search: /** @type {HTMLInputElement} */ (input).value });

function Search() {
  const label = t(LIST.search);
  return html`<div class="filters">
    <input type="search" aria-label=${label} placeholder=${label} value=${searched()} onInput=${search} />
  </div>`;
}

/** @param {object} row @param {Column<any>} column @param {boolean} isFirst */
const cellOf = (row, [label, cell], isFirst) =>
  isFirst
    ? html`<th scope="row">${cell(row)}</th>`
    : html`<td data-label=${t(label)}><div>${cell(row)}</div></td>`;

/** @param {{ of: Resource<any, any>, context: object, title: string, items: readonly { id: string }[], reload: () => void }} props */
function Table({ of: { columns: columnsOf, nameOf, actions }, context, title, items, reload }) {
  const columns = columnsOf(context);
  const menuOf = (/** @type {{ id: string }} */ row) => {
    const found = actions?.(row, context).filter((one) => one !== false) ?? [];
    const name = nameOf?.(row) ?? '';
    if (found.length === 0) return null;
    return html`<${Menu} isIcon label=${t(LIST.actionsFor, { name })}>
      ${found.map(
        (one) =>
          html`<button
            type="button"
            class=${one.isDanger && 'danger'}
            onClick=${() => perform({ name, ...one }, reload)}
          >
            ${t(one.label)}
          </button>`,
      )}
    <//>`;
  };
  return html`<table class="manage-table">
    <caption class="unseen">
      ${title}
    </caption>
    <thead>
      <tr>
        ${columns.map(([label]) => html`<th scope="col">${t(label)}</th>`)}${nameOf && html`<td></td>`}
      </tr>
    </thead>
    <tbody>
      ${items.map(
        (row) =>
          html`<tr key=${row.id}>
            ${columns.map((column, index) => cellOf(row, column, index === 0))}${nameOf && html`<td class="row-actions">${menuOf(row)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
