import { signal } from '@preact/signals';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';

/** @typedef {{ text: string, action?: { label: string, run: () => void } }} Toast */

const shown = signal(/** @type {readonly (Toast & { id: number })[]} */ ([]));
const DEFAULT_MS = 6_000;
let count = 0;

/** Says something at the edge of the page, to screen readers too. Returns how to take it back. @param {Toast} toast @param {number} [ms] how long */
export function say(toast, ms = DEFAULT_MS) {
  const id = (count += 1);
  shown.value = [...shown.value, { ...toast, id }];
  const remove = () => {
    shown.value = shown.value.filter((one) => one.id !== id);
  };
  setTimeout(remove, ms);
  return remove;
}

/** Where toasts are shown; once in the page. */
export function Toasts() {
  return html`<div class="toasts" role="status">
    ${shown.value.map(
      ({ id, text, action }) =>
        html`<div class="toast" key=${id}>
          <span>${text}</span>
          ${action && html`<button type="button" class="link" onClick=${action.run}>${action.label}</button>`}
          <button
            type="button"
            class="plain"
            aria-label=${t(COMMON.close)}
            onClick=${() => (shown.value = shown.value.filter((one) => one.id !== id))}
          >
            ✕
          </button>
        </div>`,
    )}
  </div>`;
}
