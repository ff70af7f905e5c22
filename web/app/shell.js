import { useEffect, useRef, useState } from 'preact/hooks';
import { explain, hasEnded, isOffline } from './api.js';
import { facts } from './facts.js';
import { html } from './html.js';
import { at, route } from './router.js';
import { loadSession, me } from './session.js';
import { t } from './text.js';
import { FRAME } from './texts/common.js';
import { Dialog, Opened } from './ui/dialog.js';
import { Menu } from './ui/parts.js';
import { Toasts } from './ui/toast.js';

const LINKS = /** @type {const} */ ([
  ['/', FRAME.recordings],
  ['/action-items', FRAME.actionItems],
  ['/questions', FRAME.questions],
  ['/organizations', FRAME.organizations],
]);

/** The frame of all pages: navigation, uploads, what is asked and said, and the session that has ended. @param {{ children?: unknown }} props */
export function Shell({ children }) {
  const Uploads = useUploads();
  const { path } = route.value;
  const isCurrent = (/** @type {string} */ link) =>
    link === '/' ? path === '/' || path.startsWith('/recordings') : path.startsWith(link);
  return html`<a class="skip" href="#content">${t(FRAME.skip)}</a>
    <header class="bar">
      <nav aria-label=${t(FRAME.menu)}>
        ${LINKS.map(([link, label]) => html`<a href=${at(link)} aria-current=${isCurrent(link) ? 'page' : undefined}>${t(label)}</a>`)}
      </nav>
      <div class="bar-actions">
        <a class="button" href=${at('/record')}>${t(FRAME.record)}</a>
        <button
          type="button"
          class="button main"
          disabled=${!Uploads}
          onClick=${() => Uploads?.chooseFiles()}
        >
          ${t(FRAME.upload)}
        </button>
        <${Menu} label=${me.value?.name ?? ''}>
          <a href=${at('/deleted')}>${t(FRAME.deleted)}</a>
          <a href=${`${facts.path}/account`}>${t(FRAME.account)}</a>
          <form method="post" action=${`${facts.path}/sign-out`}>
            <input type="hidden" name="csrf" value=${me.value?.session?.csrf_token ?? ''} />
            <button>${t(FRAME.signOut)}</button>
          </form>
        <//>
      </div>
    </header>
    ${isOffline.value && html`<p class="offline" role="status">${t(FRAME.offline)}</p>`}
    <main id="content" tabindex="-1">${children}</main>
    ${Uploads && html`<${Uploads.UploadsPanel} />`} <${Opened} />
    <${Toasts} /> ${hasEnded.value && html`<${EndedSession} />`}`;
}

/** After the first view has been painted. */
function useUploads() {
  const [module, setModule] = useState(/** @type {typeof import('./uploads/panel.js') | null} */ (null));
  useEffect(() => {
    import('./uploads/panel.js').then(setModule, () => undefined);
  }, []);
  return module;
}

/** Offers to sign in again in a new tab, so that nothing that was typed is lost. */
function EndedSession() {
  const [problem, setProblem] = useState('');
  // The browser has closed the dialog by then.
  const [round, setRound] = useState(0);
  const goOn = async () => {
    try {
      await loadSession();
    } catch (error) {
      setProblem(explain(error));
      setRound((before) => before + 1);
    }
  };
  return html`<${Dialog} key=${round} title=${t(FRAME.ended)} onClose=${goOn}>
    <p>${t(FRAME.endedText)}</p>
    ${problem && html`<p class="mistake" role="alert">${problem}</p>`}
    <div class="dialog-actions">
      <a class="button main" target="_blank" href=${`${facts.path}/sign-in?to=/app`}>${t(FRAME.signIn)}</a>
      <button class="button" onClick=${goOn}>${t(FRAME.goOn)}</button>
    </div>
  <//>`;
}

/** Whether the page has been opened already: the focus then follows to the heading of each next view. */
let hasOpened = false;

/** The heading of a view, which is also the title of the document and takes the focus after a navigation, unless the view gives it to something else. @param {{ title: string, children?: unknown, takesFocus?: boolean }} props */
export function PageTitle({ title, children, takesFocus = true }) {
  const heading = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useEffect(() => {
    if (hasOpened && takesFocus) heading.current?.focus();
    hasOpened = true;
  }, []);
  useEffect(() => {
    document.title = `${title} · ${t(FRAME.product)}`;
  }, [title]);
  return html`<div class="title">
    <h1 ref=${heading} tabindex="-1">${title}</h1>
    ${children}
  </div>`;
}
