import { useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { NOTES } from '../texts/recording.js';
import { Form } from '../ui/form.js';
import { saveOver } from './conflicts.js';

/** @import { Recording } from './states.js' */

/** The notes of a recording, edited where they are. @param {{ recording: Recording, canEdit: boolean, onSaved: (recording: Recording) => void }} props */
export function Notes({ recording, canEdit, onSaved }) {
  const [initial, setInitial] = useState(/** @type {string | null} */ (null));
  const [theirs, setTheirs] = useState(/** @type {string | null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const base = useRef(/** @type {string | null} */ (null));
  const latest = useRef(recording);
  latest.current = recording;
  const path = { id: recording.id };
  const reload = async () => {
    latest.current = await api.get('/recordings/{id}', { path });
  };
  const open = () => {
    base.current = recording.notes;
    setTheirs(null);
    setInitial(recording.notes ?? '');
  };
  const close = () => {
    setInitial(null);
    setTimeout(() => button.current?.focus());
  };
  const isChanged = () => {
    const now = latest.current.notes;
    const differs = now !== base.current;
    if (differs) setTheirs(now ?? '');
    base.current = now;
    return differs;
  };
  const save = async (/** @type {Record<string, string>} */ { notes = '' }) => {
    const send = () =>
      api.patch('/recordings/{id}', { path, body: { notes }, revision: latest.current.revision });
    await saveOver({ isChanged, send, reload });
    await reload();
    onSaved(latest.current);
    close();
  };
  const [text, isOpen] = [recording.notes, initial !== null];
  if (!canEdit && !text && !isOpen) return null;
  return html`<section class="notes" id="notes" tabindex="-1" aria-labelledby="notes-title">
    <div class="title">
      <h2 id="notes-title">${t(NOTES.title)}</h2>
      ${
        canEdit &&
        !isOpen &&
        html`<button type="button" class="button" ref=${button} onClick=${open}>${t(NOTES.edit)}</button>`
      }
    </div>
    ${
      isOpen
        ? html`${
              theirs !== null &&
              html`<p class="hint">${t(NOTES.theirs)}</p>
                <p class="prose plain" dir="auto">${theirs}</p>`
            }
            <${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${close}>
              <textarea
                name="notes"
                maxlength="100000"
                rows="8"
                dir="auto"
                aria-labelledby="notes-title"
                ref=${focusOnce}
                defaultValue=${initial}
              ></textarea>
            <//>`
        : html`<p class=${text ? 'prose plain' : 'hint'} dir="auto">${text || t(NOTES.none)}</p>`
    }
  </section>`;
}

/** @param {HTMLElement | null} element */
const focusOnce = (element) => element?.focus();
