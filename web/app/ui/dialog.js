import { signal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { html } from '../html.js';
import { route } from '../router.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { dialogs, Toasts } from './toast.js';

/** A dialog of the browser's own, which keeps the focus, closes on Escape and gives the focus back. @param {{ title: string, onClose: () => void, children?: unknown, wide?: boolean }} props */
export function Dialog({ title, onClose, children, wide = false }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    dialogs.value = [...dialogs.peek(), id];
    // One that is removed while it is open does not give the focus back by itself.
    const restore = () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
    return () => {
      dialogs.value = dialogs.peek().filter((one) => one !== id);
      queueMicrotask(restore);
    };
  }, []);
  return html`<dialog
    ref=${dialog}
    class=${wide ? 'dialog wide' : 'dialog'}
    aria-labelledby=${id}
    onClose=${onClose}
  >
    <div class="dialog-head">
      <h2 id=${id}>${title}</h2>
      <button class="plain" aria-label=${t(COMMON.close)} onClick=${() => dialog.current?.close()}>✕</button>
    </div>
    ${children}
    <${Toasts} dialog=${id} />
  </dialog>`;
}

/** @typedef {(props: { onClose: () => void }) => unknown} Content A dialog that calls `onClose` when it has ended. */

const opened = signal(/** @type {readonly Content[]} */ ([]));

/** Opens a dialog over the page, until another page is opened. @param {Content} content */
export function open(content) {
  opened.value = [...opened.peek(), content];
}

/** Where `open` opens dialogs; once in the page. */
export function Opened() {
  useEffect(() => () => void (opened.value = []), [route.value.path]);
  return opened.value.map((Content) => {
    const onClose = () => (opened.value = opened.peek().filter((one) => one !== Content));
    return html`<${Content} onClose=${onClose} />`;
  });
}

/** @typedef {{ title: string, text?: string, action: string, isDanger?: boolean }} Question `action`: the label of the button that agrees */

/** Asks before something is done; resolves to whether the person agreed. @param {Question} question @returns {Promise<boolean>} */
export const ask = ({ title, text, action, isDanger }) =>
  new Promise((resolve) =>
    open(({ onClose }) => {
      const answer = (/** @type {boolean} */ agreed) => {
        resolve(agreed);
        onClose();
      };
      return html`<${Dialog} title=${title} onClose=${() => answer(false)}>
        ${text && html`<p>${text}</p>`}
        <div class="dialog-actions">
          <button class="button" onClick=${() => answer(false)}>${t(COMMON.cancel)}</button>
          <button class=${isDanger ? 'button danger' : 'button main'} onClick=${() => answer(true)}>
            ${action}
          </button>
        </div>
      <//>`;
    }),
  );
