import { signal } from '@preact/signals';
import { facts } from './facts.js';

/** @typedef {{ path: string, query: URLSearchParams }} Route `path`: after `/app`, such as `/recordings/…` */

const ROOT = `${facts.path}/app`;

/** What the URL asks for. */
export const route = signal(current());

function current() {
  const path = location.pathname.slice(ROOT.length).replace(/\/$/, '') || '/';
  return { path, query: new URLSearchParams(location.search) };
}

/** The URL of a page of the library, for links: `at('/action-items')`. @param {string} path */
export const at = (path) => ROOT + (path === '/' ? '' : path);

/** Goes to a page of the library, without reloading. @param {string} path @param {{ replaces?: boolean }} [options] */
export function navigate(path, { replaces = false } = {}) {
  history[replaces ? 'replaceState' : 'pushState'](null, '', at(path));
  route.value = current();
}

/** Sets parameters of the URL, without a new entry in the history; empty ones are left out. @param {Readonly<Record<string, string | null | undefined>>} values */
export function setQuery(values) {
  const query = new URLSearchParams(route.peek().query);
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.size > 0 ? `?${query}` : '';
  history.replaceState(null, '', location.pathname + text);
  route.value = current();
}

/** Follows links to other pages of the library, and the buttons of the browser. */
export function startRouter() {
  addEventListener('popstate', () => {
    // Jumps to a moment of the same page change only its fragment.
    const next = current();
    if (next.path !== route.peek().path || String(next.query) !== String(route.peek().query))
      route.value = next;
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = /** @type {Element} */ (event.target).closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname !== ROOT && !link.pathname.startsWith(`${ROOT}/`)) return;
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    route.value = current();
  });
}
