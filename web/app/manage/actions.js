// What can be done, described by data: a button or a choice of a menu, and the form that asks for what it needs.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { html } from '../html.js';
import { t } from '../text.js';
import { FLAGS, LIST } from '../texts/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Check, Field, Form } from '../ui/form.js';
import { attempt, Copy } from '../ui/parts.js';
import { say } from '../ui/toast.js';

/** @import { Text } from '../text.js' */
/** @typedef {readonly (readonly [value: string, label: string])[]} Options */
/** `check`: a box to tick; `group`: several of one name, of which `chosen` are ticked; otherwise the attributes of an element. */
/** @typedef {{ name: string, label: Text | string, hint?: Text | string, check?: boolean, group?: Options, chosen?: readonly string[], options?: Options } & Record<string, unknown>} FieldOf */
/**
 * With `text` or `fields`, `run` is called once these have been sent; what it resolves to is said if it is text, shown once if it is
 * a `Secret`, and otherwise `said` is. `name`: of what it is done to.
 * @typedef {{ label: Text, name?: string, text?: Text | string, fields?: readonly FieldOf[], isDanger?: boolean, said?: Text | '', run: (values: Record<string, string>, data: FormData) => unknown }} Action
 */

/** Something that the API returns only once. */
export class Secret {
  /** @param {string} title @param {string | null} value @param {Text} [text] */
  constructor(title, value, text = LIST.once) {
    this.value = value ?? '';
    this.text = t(text);
    this.title = title;
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
      else if (action.said !== '')
        say({ text: typeof result === 'string' ? result : t(action.said ?? LIST.saved) }, 8_000);
    },
  };
  if (action.fields || action.text) shown.value = own;
  else void attempt(async () => own.run({}, new FormData()));
}

/** A button for an action. @param {{ of: Action, onDone?: () => void }} props */
export const Act = ({ of, onDone }) =>
  html`<button
    type="button"
    class=${of.isDanger ? 'button danger' : 'button'}
    onClick=${() => perform(of, onDone)}
  >
    ${t(of.label)}
  </button>`;

/** Where forms and secrets are shown; once in a view. */
export function Performed() {
  useEffect(() => close, []);
  const now = shown.value;
  if (!now) return null;
  if (now instanceof Secret)
    return html`<${Dialog} title=${now.title} onClose=${close}><${Once} of=${now} /><//>`;
  const { label, name, text, fields = [], isDanger, run } = now;
  const submit = async (/** @type {Record<string, string>} */ values, /** @type {HTMLFormElement} */ form) =>
    run(values, new FormData(form));
  return html`<${Dialog} title=${name ? `${t(label)}: ${name}` : t(label)} onClose=${close}>
    ${text && html`<p class="hint">${toText(text)}</p>`}
    <${Form} action=${t(label)} isDanger=${isDanger} onCancel=${close} onSubmit=${submit}
      ><${Fields} fields=${fields}
    /><//>
  <//>`;
}

/** @param {{ of: Secret }} props */
const Once = ({ of: { text, value } }) =>
  html`<p class="hint">${text}</p>
    <code class="secret" tabindex="-1" ref=${focus}>${value}</code>
    <div class="dialog-actions">
      <${Copy} text=${value} />
      <button type="button" class="button main" onClick=${close}>${t(LIST.done)}</button>
    </div>`;

const focus = (/** @type {HTMLElement | null} */ element) => element?.focus();

/** The fields of a form. @param {{ fields: readonly FieldOf[] }} props */
export function Fields({ fields }) {
  return fields.map(({ check, group, chosen, label, hint, ...rest }) => {
    const texts = { key: rest.name, label: toText(label), hint: toText(hint) };
    if (!group) return html`<${check ? Check : Field} ...${texts} ...${rest} />`;
    const isChosen = (/** @type {string} */ value) => chosen?.includes(value) ?? false;
    return html`<fieldset class="group" key=${rest.name}>
      <legend>${texts.label}</legend>
      ${texts.hint && html`<p class="hint">${texts.hint}</p>`}
      ${group.map(
        ([value, text]) =>
          html`<${Check}
            key=${value}
            name=${rest.name}
            value=${value}
            label=${text}
            defaultChecked=${isChosen(value)}
          />`,
      )}
    </fieldset>`;
  });
}

/** A field for text. @param {string} name @param {FieldOf['label']} label @param {object} [more] attributes, `hint` @returns {FieldOf} */
export const input = (name, label, more) => ({ name, label, ...more });
/** A box to tick. @param {string} name @param {FieldOf['label']} label @param {boolean | undefined} isTicked @param {FieldOf['hint']} [hint] @returns {FieldOf} */
export const tick = (name, label, isTicked, hint) => ({
  name,
  label,
  hint,
  check: true,
  defaultChecked: isTicked,
});
/** A choice of one. @param {string} name @param {FieldOf['label']} label @param {Options} options @param {string} [value] @param {FieldOf['hint']} [hint] @returns {FieldOf} */
export const choice = (name, label, options, value, hint) => ({ name, label, options, value, hint });
/** A choice of several. @param {string} name @param {FieldOf['label']} label @param {Options} group @param {readonly string[]} [chosen] @returns {FieldOf} */
export const boxes = (name, label, group, chosen) => ({ name, label, group, chosen });
/** The name of something. @param {string} [value] @param {number} [maxlength] */
export const nameField = (value, maxlength = 200) =>
  input('name', LIST.name, { value, required: true, maxlength, dir: 'auto' });

/** Fields for feature flags, with what each changes. @template {keyof typeof FLAGS} F @param {readonly F[]} names @param {Readonly<Partial<Record<F, boolean>>>} now @param {(name: F) => string} [more] what else is said of one */
export const flagFields = (names, now, more = () => '') =>
  names.map((name) => tick(name, FLAGS[name][0], now[name], `${t(FLAGS[name][1])} ${more(name)}`));

/** What was ticked of such fields. @template {string} F @param {readonly F[]} names @param {Record<string, string>} values */
export const readFlags = (names, values) =>
  /** @type {Record<F, boolean>} */ (Object.fromEntries(names.map((name) => [name, name in values])));
