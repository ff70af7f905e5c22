import { useId, useRef, useState } from 'preact/hooks';
import { formatClock } from '../../share/scripts/moments.js';
import { api } from '../api.js';
import { html } from '../html.js';
import { formatDate, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { ITEMS } from '../texts/insights.js';
import { Field, Form, useFocusedForm } from '../ui/form.js';
import { attempt } from '../ui/parts.js';
import { say } from '../ui/toast.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['ActionItem']} Item */
/** @typedef {Schemas['UpdateActionItemRequest']} Changes */

/** A link to a moment; of the recording on the page, unless another one's `page` is given. @param {{ start: number | null, page?: string }} props */
export const Moment = ({ start, page = '' }) =>
  start !== null &&
  html`<a class="at" href=${`${page}#t=${start}`} aria-label=${t(ITEMS.goTo, { time: formatClock(start) })}
    >${formatClock(start)}</a
  >`;

/** Names to choose from while an action item is assigned, once in a page. @param {{ names: readonly (string | null | undefined)[] }} props */
export const Owners = ({ names }) =>
  html`<datalist id="owners">
    ${[...new Set(names)].map((name) => name && html`<option value=${name} />`)}
  </datalist>`;

/**
 * An action item that can be ticked, assigned and corrected, each with undo. `reason`: why it cannot be changed.
 * @param {{ item: Item, recordingId: string, onChange?: () => void, reason?: string, page?: string, children?: unknown }} props
 */
export function ActionItem({ item: given, recordingId, onChange, reason = '', page, children }) {
  const id = useId();
  /** As changed here, until what is given is newer. */
  const [own, setOwn] = useState({ of: given, item: given });
  const item = own.of === given ? own.item : given;
  const latest = useRef(given);
  latest.current = given;
  const [isEditing, setEditing] = useState(false);
  const [row, button] = useFocusedForm(isEditing);

  const send = async (/** @type {Changes} */ body) => {
    const options = { path: { id: recordingId, actionItemId: item.id }, body };
    const changed = await api.patch('/recordings/{id}/action-items/{actionItemId}', options);
    setOwn({ of: latest.current, item: { ...item, ...changed } });
    onChange?.();
  };
  const change = async (/** @type {Changes} */ changes) => {
    await send(changes);
    const { text, owner, due, dueDate, done } = item;
    // The day may have followed from the words.
    const before = 'done' in changes ? { done } : { text, owner, due, dueDate };
    const said = changes.done === undefined ? ITEMS.changed : changes.done ? ITEMS.ticked : ITEMS.reopened;
    const run = () => void attempt(() => send(before)).then(take);
    const take = say({ text: t(said), action: { label: t(COMMON.undo), run } });
  };
  const tick = async (/** @type {Event} */ { currentTarget }) => {
    const { checked: done } = /** @type {HTMLInputElement} */ (currentTarget);
    setOwn({ of: given, item: { ...item, done } });
    if (!(await attempt(() => change({ done })))) setOwn({ of: given, item });
  };
  const save = async (/** @type {Record<string, string>} */ values) => {
    const typed = Object.entries(values).map(([name, value]) => [name, value || null]);
    const changed = typed.filter(([name, value]) => value !== item[/** @type {'text'} */ (name)]);
    if (changed.length > 0) await change(Object.fromEntries(changed));
    setEditing(false);
  };
  if (isEditing)
    return html`<div ref=${row}>
      <${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${() => setEditing(false)}>
        <${Field} label=${t(ITEMS.text)} name="text" value=${item.text} rows="2" maxlength="1000" required />
        <div class="field-columns">
          <${Field} label=${t(ITEMS.owner)} name="owner" value=${item.owner} maxlength="200" list="owners" />
          <${Field} label=${t(ITEMS.due)} name="due" value=${item.due} maxlength="200" />
          <${Field} label=${t(ITEMS.day)} name="dueDate" type="date" value=${item.dueDate} />
        </div>
      <//>
    </div>`;
  const edit = html`<button
    ref=${button}
    class="plain"
    aria-label=${t(ITEMS.edit, { text: item.text })}
    onClick=${() => setEditing(true)}
  >
    ✎
  </button>`;
  return html`<div class=${item.done ? 'action-item is-done' : 'action-item'}>
    <input
      type="checkbox"
      class="pick"
      id=${id}
      checked=${item.done}
      disabled=${reason !== ''}
      title=${reason}
      onChange=${tick}
    />
    <div>
      <label for=${id} dir="auto">${item.text}</label>
      <p class="facts">
        ${item.owner && html`<strong dir="auto">${item.owner}</strong>`}
        ${item.due && html`<span dir="auto">${item.due}</span>`}
        ${item.dueDate && html`<span>${t(ITEMS.until, { date: formatDate(item.dueDate) })}</span>`}
        <${Moment} start=${item.start} page=${page} />${children}
      </p>
    </div>
    ${!reason && edit}
  </div>`;
}
