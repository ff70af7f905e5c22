import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { explain } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';

/** @typedef {readonly (readonly [value: string, label: string])[]} Options */
/** @typedef {{ onSubmit: (values: Record<string, string>, form: HTMLFormElement) => Promise<unknown>, action: string, onCancel?: () => void, children?: unknown, isDanger?: boolean }} FormProps */

/**
 * A form whose fields keep what was typed until it has been sent; what went wrong is shown in it and read aloud. `values` are those of
 * its fields by name; several of one name are in `new FormData(form)`.
 * @param {FormProps} props
 */
export function Form({ onSubmit, action, onCancel, children, isDanger }) {
  const [error, setError] = useState(/** @type {unknown} */ (null));
  const [isBusy, setBusy] = useState(false);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    const form = /** @type {HTMLFormElement} */ (event.currentTarget);
    const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    setBusy(true);
    setError(null);
    try {
      await onSubmit(values, form);
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(false);
  };
  return html`<form class="form" onSubmit=${submit} aria-busy=${isBusy}>
    ${children} ${error !== null && html`<p class="mistake" role="alert">${explain(error)}</p>`}
    <div class="form-actions">
      ${onCancel && html`<button type="button" class="button" onClick=${onCancel}>${t(COMMON.cancel)}</button>`}
      <button class=${isDanger ? 'button danger' : 'button main'} disabled=${isBusy}>${action}</button>
    </div>
  </form>`;
}

/**
 * A labelled field. With `options`, a select; with `rows`, a text area; otherwise an input; other attributes are those of the element.
 * `value` is what is in it at first or, with `onValue`, always.
 * @param {{ label: string, hint?: string, options?: Options, value?: string, rows?: number, onValue?: (value: string) => void } & Record<string, unknown>} props
 */
export function Field({ label, hint, options, value, onValue, ...attributes }) {
  const id = useId();
  const onInput = (/** @type {Event} */ { currentTarget }) =>
    onValue?.(/** @type {HTMLInputElement} */ (currentTarget).value);
  const common = {
    id,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    ...(onValue && { onInput }),
    ...attributes,
  };
  const content = onValue ? { value } : { defaultValue: value };
  const control = options
    ? html`<select ...${common}>
        ${options.map(([key, text]) => html`<option value=${key} selected=${key === value}>${text}</option>`)}
      </select>`
    : attributes.rows
      ? html`<textarea ...${common} ...${content}></textarea>`
      : html`<input ...${common} ...${content} />`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control} ${hint && html`<p id=${`${id}-hint`} class="hint">${hint}</p>`}
  </div>`;
}

/** A labelled box to tick. @param {{ label: string, hint?: string } & Record<string, unknown>} props */
export function Check({ label, hint, ...attributes }) {
  const id = useId();
  return html`<div class="check">
    <input type="checkbox" id=${id} aria-describedby=${hint ? `${id}-hint` : undefined} ...${attributes} />
    <label for=${id}>${label}</label>
    ${hint && html`<p id=${`${id}-hint`} class="hint">${hint}</p>`}
  </div>`;
}

/** What is edited in place has the focus, and the button for it afterwards. @param {boolean} isEditing */
export function useFocusedForm(isEditing) {
  const form = useRef(/** @type {HTMLElement | null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    const field = form.current?.querySelector('textarea, input');
    if (isEditing) /** @type {HTMLElement | null | undefined} */ (field)?.focus();
    else if (wasEditing.current) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return /** @type {const} */ ([form, button]);
}
