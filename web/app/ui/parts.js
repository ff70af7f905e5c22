// Small parts that all views share.
import { useState } from 'preact/hooks';
import { explain } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON, REASONS } from '../texts/common.js';
import { say } from './toast.js';

/** What went wrong in place of what was to be shown. @param {{ error: unknown, onRetry?: () => void }} props */
export function Problem({ error, onRetry }) {
  return html`<div class="problem" role="alert">
    <p>${explain(error)}</p>
    ${onRetry && html`<button class="button" onClick=${onRetry}>${t(COMMON.tryAgain)}</button>`}
  </div>`;
}

/** While something is loaded for the first time. */
export const Loading = () => html`<p class="loading-note" role="status">${t(COMMON.loading)}</p>`;

/** What `useData` has: loading, a problem, or the children made of its data. @template T @param {{ of: { data?: T, error?: unknown, isLoading: boolean, reload: () => void }, children: (data: T) => unknown }} props */
export function Loaded({ of: { data, error, reload }, children }) {
  if (data === undefined)
    return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Loading} />`;
  return html`${error !== undefined && html`<${Problem} error=${error} onRetry=${reload} />`}${children(data)}`;
}

/** The button at the end of a list with more pages, as `usePages` has them. @param {{ of: { hasMore: boolean, isLoading: boolean, error?: unknown, more: () => void } }} props */
export function More({ of: { hasMore, isLoading, error, more } }) {
  if (error) return html`<${Problem} error=${error} onRetry=${more} />`;
  return hasMore
    ? html`<button class="button more" disabled=${isLoading} onClick=${more}>${t(COMMON.more)}</button>`
    : null;
}

/** A menu of actions, opened by its button; choosing one closes it. @param {{ label: string, children?: unknown, isIcon?: boolean }} props */
export function Menu({ label, children, isIcon = false }) {
  return html`<details class="menu">
    <summary class=${isIcon ? 'button icon' : 'button'} aria-label=${isIcon ? label : undefined}>
      ${isIcon ? '⋯' : label}
    </summary>
    <div class="menu-list" onClick=${close}>${children}</div>
  </details>`;
}

/** @param {MouseEvent} event */
function close(event) {
  const menu = /** @type {Element} */ (event.currentTarget).closest('details');
  if (!(/** @type {Element} */ (event.target).closest('a, button'))) return;
  menu?.removeAttribute('open');
  // What had the focus is hidden now; a dialog that opens gives it back to the button.
  menu?.querySelector('summary')?.focus();
}

/** A button that copies a text, and says so. @param {{ text: string, label?: string }} props */
export function Copy({ text, label = t(COMMON.copy) }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 3_000);
  };
  // Browsers have no clipboard on plain HTTP; the text beside the button can be selected.
  if (!navigator.clipboard) return null;
  return html`<button class="button" onClick=${copy}>${isCopied ? t(COMMON.copied) : label}</button>`;
}

/** Why something cannot be done; empty if it can. @param {{ reason: string } | undefined} reason */
export const reasonText = (reason) => (reason && REASONS[reason.reason] ? t(REASONS[reason.reason]) : '');

/** Does something at once, and says what went wrong; resolves to whether it was done. @param {() => Promise<unknown>} action */
export async function attempt(action) {
  try {
    await action();
    return true;
  } catch (error) {
    say({ text: explain(error) });
    return false;
  }
}
