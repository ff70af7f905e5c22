import { signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';

/** A dialog of the browser's own, which keeps the focus, closes on Escape and gives the focus back. @param {{ title: string, onClose: () => void, children?: unknown, wide?: boolean }} props */
export function Dialog({ title, onClose, children, wide = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // One that is removed while it is open does not give the focus back by itself.
    const restore = () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
    return () => queueMicrotask(restore);
  }, []);
  return html`<dialog
    ref=${dialog}
    class=${wide ? 'dialog wide' : 'dialog'}
    aria-labelledby=${id}
    onClose=${onClose}
  >
    <div class="dialog-head">
      <h2 id=${id}>${title}</h2>
      <button
        type="button"
        class="plain"
        aria-label=${t(COMMON.close)}
        onClick=${() => dialog.current?.close()}
      >
        ✕
      </button>
    </div>
    ${children}
  </dialog>`;
}

/** @typedef {{ title: string, text?: string, action: string, isDanger?: boolean }} Question `action`: the label of the button that agrees */

const asked = signal(/** @type {(Question & { answer: (agreed: boolean) => void }) | null} */ (null));

/** Asks before something is done; resolves to whether the person agreed. @param {Question} question @returns {Promise<boolean>} */
export function ask(question) {
  asked.value?.answer(false);
  return new Promise((resolve) => {
    const answer = (/** @type {boolean} */ agreed) => {
      asked.value = null;
      resolve(agreed);
    };
    asked.value = { ...question, answer };
  });
}

/** Where `ask` asks; once in the page. */
export function Asked() {
  if (!asked.value) return null;
  const { title, text, action, isDanger, answer } = asked.value;
  return html`<${Dialog} title=${title} onClose=${() => answer(false)}>
    ${text && html`<p>${text}</p>`}
    <div class="dialog-actions">
      <button type="button" class="button" onClick=${() => answer(false)}>${t(COMMON.cancel)}</button>
      <button type="button" class=${isDanger ? 'button danger' : 'button main'} onClick=${() => answer(true)}>
        ${action}
      </button>
    </div>
  <//>`;
}
