// What can be done, described by data: a button or a choice of a menu, and the form that asks for what it needs.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { LIST } from '../texts/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field, Form } from '../ui/form.js';
import { attempt, Copy } from '../ui/parts.js';
import { say } from '../ui/toast.js';

/** @import { Text } from '../text.js' */
/** @typedef {readonly (readonly [value: string, label: string])[]} Options */
/** With `chosen`, several of its options can be ticked; with `defaultChecked`, it is a box to tick itself. @typedef {{ name: string, label: Text | string, hint?: Text | string, options?: Options, chosen?: readonly string[] } & Record<string, unknown>} FieldOf */
/**
 * With `text` or `fields`, `run` is called once these have been sent; what it resolves to is said if it is text, shown once if it is
 * a `Secret`, and otherwise `said` is. `name`: of what it is done to.
 * @typedef {{ label: Text, name?: string, text?: Text | string, fields?: readonly FieldOf[], isDanger?: boolean, said?: Text, run: (values: Record<string, string>, data: FormData) => unknown }} Action
 */

/** Something that the API returns only once. */
export class Secret {
  /** @param {string} title @param {string | null} value @param {Text} [text] */
  constructor(title, value, text = LIST.once) {
    Object.assign(this, { title, value, text });
  }
}

const shown = signal(/** @type {Action | Secret | null} */ (null));
const close = () => (shown.value = null);
const toText = (/** @type {Text | string | undefined} */ text) => (typeof text === 'object' ? t(text) : text);

/** Does something, or opens the form that it needs. @param {Action} action @param {() => void} [onDone] */
export function perform(action, onDone) {
  /** @type {Action} */
  const own = {
    ...action,
    async run(values, data) {
      const result = await action.run(values, data);
      onDone?.();
      // The form may have been closed, and another opened, meanwhile.
      if (shown.value === own) close();
      if (result instanceof Secret) shown.value = result;
      else say({ text: typeof result === 'string' ? result : t(action.said ?? LIST.saved) });
    },
  };
  if (action.fields || action.text) shown.value = own;
  else void attempt(async () => own.run({}, new FormData()));
}

/** A button for an action. @param {{ of: Action, onDone?: () => void }} props */
export function Act({ of, onDone }) {
  const kind = of.isDanger ? 'button danger' : 'button';
  return html`<button type="button" class=${kind} onClick=${() => perform(of, onDone)}>
    ${t(of.label)}
  </button>`;
}

/** Where forms and secrets are shown; once in a view. */
export function Performed() {
  useEffect(() => close, []);
  const now = shown.value;
  if (!now) return null;
  if (now instanceof Secret) return html`<${Once} ...${now} />`;
  const { label, name, text, fields = [], isDanger, run } = now;
  const submit = async (/** @type {Record<string, string>} */ values, /** @type {HTMLFormElement} */ form) =>
    run(values, new FormData(form));
  return html`<${Dialog} title=${name ? `${t(label)}: ${name}` : t(label)} onClose=${close}>
    ${text && html`<p class="hint">${toText(text)}</p>`}
    <${Form} action=${t(label)} isDanger=${isDanger} onCancel=${close} onSubmit=${submit}>
      <${Fields} fields=${fields} />
    <//>
  <//>`;
}

const focus = (/** @type {HTMLElement | null} */ element) => element?.focus();

/** @param {{ title: string, value: string, text: Text }} props */
const Once = ({ title, value, text }) =>
  html`<${Dialog} title=${title} onClose=${close}>
    <p class="hint">${t(text)}</p>
    <code class="secret" tabindex="-1" ref=${focus}>${value}</code>
    <div class="dialog-actions">
      <${Copy} text=${value} />
      <button type="button" class="button main" onClick=${close}>${t(LIST.done)}</button>
    </div>
  <//>`;

/** The fields of a form. @param {{ fields: readonly FieldOf[] }} props */
export const Fields = ({ fields }) =>
  fields.map(({ label, hint, ...rest }) => {
    const Kind = rest.chosen ? Group : 'defaultChecked' in rest ? Check : Field;
    return html`<${Kind} key=${rest.name} label=${toText(label)} hint=${toText(hint)} ...${rest} />`;
  });

/** @param {{ name: string, label: string, options: Options, chosen: readonly string[] }} props */
const Group = ({ name, label, options, chosen }) =>
  html`<fieldset class="group">
    <legend>${label}</legend>
    ${options.map(([value, text]) => {
      const isChosen = chosen.includes(value);
      return html`<${Check} name=${name} value=${value} label=${text} defaultChecked=${isChosen} />`;
    })}
  </fieldset>`;

/** The name of something. @param {string} [value] @param {number} [maxlength] @returns {FieldOf} */
export const nameField = (value, maxlength = 200) => ({
  name: 'name',
  label: LIST.name,
  dir: 'auto',
  required: true,
  value,
  maxlength,
});
