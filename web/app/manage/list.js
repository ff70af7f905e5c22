import { useEffect, useRef } from 'preact/hooks';
import { usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { route } from '../router.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { Filter } from '../ui/filters.js';
import { Loading, Menu, More, Problem } from '../ui/parts.js';
import { perform } from './actions.js';

/** @import { Item, ListPath } from 'meeting-recording-client' */
/** @import { Text } from '../text.js' */
/** @import { Action } from './actions.js' */
/** @template T @typedef {readonly [label: Text, cell: (row: T) => unknown]} Column */
/** Rows as a table. `nameOf`: without it, there are no actions. @template T, C @typedef {{ empty?: Text, about?: Text, searches?: boolean, columns: (context: C) => readonly Column<T>[], nameOf?: (row: T) => string, actions?: (row: T, context: C) => readonly (Action | false)[], create?: (context: C) => Action | false }} TableOf */
/**
 * A list of the API, described by data. `live`: types of events after which it is loaded again, as it is every few seconds while a row
 * `isPending`; `One`: shows the row that `open` in the URL names, as links
 * with `openOf` do.
 * @template {ListPath} P, C @typedef {TableOf<Item<P>, C> & { path: P, query?: (context: C) => object, live: readonly string[], isPending?: (row: Item<P>) => boolean, One?: (props: any) => unknown }} Resource
 */

/** For lists that the API has without pages. */
export const WHOLE = { limit: undefined };
/** What is searched for, in the URL. */
const searched = () => route.value.query.get('search') || undefined;
const POLL_MS = 2_000;

/** Calls `reload` now and then, for what has no events. @param {boolean} isPending @param {() => void} reload */
export function usePolling(isPending, reload) {
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(() => document.hidden || reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [isPending, reload]);
}

/** The link that opens a row. @param {string} id */
export const openOf = (id) => `?open=${id}`;

/** What a row is called; with `href`, a link. @param {{ name: string, sub?: string | false | null, href?: string }} props */
export function Named({ name, sub, href }) {
  const shown = href
    ? html`<a class="name" href=${href}><bdi>${name}</bdi></a>`
    : html`<bdi class="name">${name}</bdi>`;
  return html`${shown}${sub && html`<bdi class="sub">${sub}</bdi>`}`;
}

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

/** Loads a list and shows it. @param {{ of: Resource<any, any>, context: { id?: string | null }, title: string, isPage?: boolean, children?: unknown }} props rows and context are as the resource says */
export function List({ of, context, ...shown }) {
  const query = { ...of.query?.(context), ...(of.searches && { search: searched() }) };
  const rows = usePages(of.path, { path: { id: context.id }, query }, [context.id, JSON.stringify(query)]);
  useEvents(of.live, rows.reload);
  usePolling(of.isPending ? rows.items.some(of.isPending) : false, rows.reload);
  return html`<${Rows} of=${of} rows=${rows} context=${context} ...${shown} />`;
}

/** Shows rows as a table, whose rows are cards on phones. @param {{ of: TableOf<any, any>, rows: Pick<ReturnType<typeof usePages>, 'items' | 'error' | 'isLoading' | 'hasMore' | 'more' | 'reload'>, context: object, title: string, isPage?: boolean, children?: unknown }} props */
export function Rows({ of, rows, context, title, isPage, children }) {
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const { items, error, isLoading, reload } = rows;
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
  const kind = isPage ? 'button main' : 'button';
  return html`<section ref=${section} aria-label=${title}>
    <${Head} title=${title} about=${of.about} isPage=${isPage}>
      ${create && html`<button type="button" class=${kind} onClick=${() => perform(create, reload)}>${t(create.label)}</button>`}
    <//>
    ${
      of.searches &&
      (items.length > 10 || searched()) &&
      html`<div class="filters"><${Filter} name="search" type="search" label=${t(LIST.search)} /></div>`
    }
    ${children} ${!isEmpty && html`<${Table} ...${{ of, context, title, items, reload }} />`}
    ${isEmpty && !error && (isLoading ? html`<${Loading} />` : html`<p class="note">${t(of.empty ?? COMMON.none)}</p>`)}
    <p class="unseen" role="status">${!isLoading && t(LIST.shown, { n: items.length })}</p>
    ${error && isEmpty ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${More} of=${rows} />`}
  </section>`;
}

/** @param {{ of: TableOf<any, any>, context: object, title: string, items: readonly { id: string }[], reload: () => void }} props */
function Table({ of: { columns: columnsOf, nameOf, actions }, context, title, items, reload }) {
  const [first, ...others] = columnsOf(context);
  const menuOf = (/** @type {{ id: string }} */ row) => {
    const found = actions?.(row, context).filter((one) => one !== false) ?? [];
    const name = nameOf?.(row) ?? '';
    const choices = found.map((one) => {
      const run = () => perform({ name, ...one }, reload);
      return html`<button type="button" class=${one.isDanger && 'danger'} onClick=${run}>
        ${t(one.label)}
      </button>`;
    });
    return found.length > 0 && html`<${Menu} isIcon label=${t(LIST.actionsFor, { name })}>${choices}<//>`;
  };
  return html`<table class="manage-table" aria-label=${title}>
    <thead>
      <tr>
        ${[first, ...others].map((one) => html`<th scope="col">${one && t(one[0])}</th>`)}${nameOf && html`<td></td>`}
      </tr>
    </thead>
    <tbody>
      ${items.map(
        (row) =>
          html`<tr key=${row.id}>
            <th scope="row">${first?.[1](row)}</th>
            ${others.map(([label, cell]) => html`<td data-label=${t(label)}>${cell(row)}</td>`)}
            ${nameOf && html`<td class="row-actions">${menuOf(row)}</td>`}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
