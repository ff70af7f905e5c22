import { signal } from '@preact/signals';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';

/** @typedef {{ text: string, action?: { label: string, run: () => void } }} Toast */

/** The dialogs that are open, by their ids. Nobody can reach what is below the last one: it shows the toasts itself. */
export const dialogs = signal(/** @type {readonly string[]} */ ([]));
const shown = signal(/** @type {readonly (Toast & { remove: () => void })[]} */ ([]));
const DEFAULT_MS = 6_000;

/** Says something at the edge of the page, to screen readers too. Returns how to take it back. @param {Toast} toast @param {number} [ms] how long */
export function say(toast, ms = DEFAULT_MS) {
  const remove = () => {
    shown.value = shown.value.filter((one) => one.remove !== remove);
  };
  shown.value = [...shown.value, { ...toast, remove }];
  setTimeout(remove, ms);
  return remove;
}

/** Where toasts are shown: once in the page, and in each dialog. @param {{ dialog?: string }} props */
export function Toasts({ dialog }) {
  if (dialogs.value.at(-1) !== dialog) return null;
  return html`<div class="toasts" role="status">
    ${shown.value.map(
      ({ text, action, remove }) =>
        html`<div class="toast" key=${remove}>
          <span>${text}</span>
          ${action && html`<button class="link" onClick=${action.run}>${action.label}</button>`}
          <button class="plain" aria-label=${t(COMMON.close)} onClick=${remove}>✕</button>
        </div>`,
    )}
  </div>`;
}
