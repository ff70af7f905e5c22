// The entry point of the library: a client of the API, like any other.
import { ConnectionError } from 'meeting-recording-client';
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { manageMenus } from '../share/scripts/controls.js';
import { onEvent, startEvents } from './events.js';
import { html } from './html.js';
import { View as LibraryView } from './library/library-view.js';
import { startUnread } from './library/unread.js';
import { at, route, startRouter } from './router.js';
import { loadSession, me } from './session.js';
import { Shell } from './shell.js';
import { t } from './text.js';
import { FRAME } from './texts/common.js';
import { Loading, Problem } from './ui/parts.js';

/** @typedef {(props: { params: readonly string[] }) => unknown} View */

/** What each path shows; all but the list are loaded when they are first opened. @type {readonly (readonly [RegExp, () => Promise<{ View: View }>])[]} */
const VIEWS = [
  [/^\/$/, async () => ({ View: LibraryView })],
  [/^\/recordings\/([^/]+)$/, () => import('./recording/recording-view.js')],
  [/^\/action-items$/, () => import('./insights/action-items-view.js')],
  [/^\/questions$/, () => import('./insights/questions-view.js')],
  [/^\/deleted$/, () => import('./library/deleted-view.js')],
  [/^\/record$/, () => import('./uploads/record-view.js')],
  [/^\/organizations$/, () => import('./manage/organizations-view.js')],
  [/^\/organizations\/([^/]+)(?:\/([a-z-]+))?$/, () => import('./manage/organization-view.js')],
];
/** After these, what somebody may see or do can be different. */
const CHANGES_RIGHTS = /^(member|organization|user|folder\.member|session)[._]/;

function App() {
  const { path } = route.value;
  return html`<${Shell}><${Page} key=${path} path=${path} /><//>`;
}

/** @param {{ path: string }} props */
function Page({ path }) {
  const [load, params] = find(path);
  const [shown, setShown] = useState(
    /** @type {{ View?: View, error?: unknown }} */ (path === '/' ? { View: LibraryView } : {}),
  );
  useEffect(() => {
    // There is no connection, or an upgrade since the page was opened.
    load?.().then(setShown, (error) =>
      setShown({ error: new ConnectionError('Not loaded', { cause: error }) }),
    );
  }, []);
  if (!load)
    return html`<h1>${t(FRAME.notFound)}</h1>
      <p><a href=${at('/')}>${t(FRAME.toRecordings)}</a></p>`;
  if (shown.error) return html`<${Problem} error=${shown.error} onRetry=${() => location.reload()} />`;
  return shown.View ? html`<${shown.View} params=${params} />` : html`<${Loading} />`;
}

/** @param {string} path @returns {[load?: () => Promise<{ View: View }>, params?: string[]]} */
function find(path) {
  for (const [pattern, load] of VIEWS) {
    const match = pattern.exec(path);
    if (match) return [load, match.slice(1)];
  }
  return [];
}

async function start() {
  const root = /** @type {HTMLElement} */ (document.getElementById('app'));
  startRouter();
  manageMenus();
  try {
    await loadSession();
  } catch (error) {
    return render(html`<${Problem} error=${error} onRetry=${() => location.reload()} />`, root);
  }
  render(html`<${App} />`, root);
  startUnread(me.value?.id ?? '');
  startEvents(me.value?.id ?? '');
  onEvent(({ type }) => {
    if (CHANGES_RIGHTS.test(type)) loadSession().catch(() => undefined);
  });
}

void start();
