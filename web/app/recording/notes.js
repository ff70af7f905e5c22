import { useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { VIEW } from '../texts/recording.js';
import { Form, useFocusedForm } from '../ui/form.js';
import { saveOver } from './conflicts.js';

/** @import { Recording } from './states.js' */

/** @param {Recording} recording */
const versionOf = ({ notes, revision }) => ({ text: notes ?? '', revision });

/** The notes of a recording, edited where they are. @param {{ recording: Recording, canEdit: boolean, onSaved: (recording: Recording) => void }} props */
export function Notes({ recording, canEdit, onSaved }) {
  const [opened, setOpened] = useState(/** @type {string | null} */ (null));
  const [theirs, setTheirs] = useState('');
  const [form, button] = useFocusedForm(opened !== null);
  const base = useRef(versionOf(recording));
  const path = { id: recording.id };
  const load = () => api.get('/recordings/{id}', { path });
  const open = () => {
    base.current = versionOf(recording);
    setTheirs('');
    setOpened(base.current.text);
  };
  const close = () => setOpened(null);
  const save = async (/** @type {Record<string, string>} */ { notes = '' }) => {
    const send = (/** @type {number} */ revision) =>
      api.patch('/recordings/{id}', { path, body: { notes }, revision });
    await saveOver({ base, send, reload: async () => versionOf(await load()), onTheirs: setTheirs });
    onSaved(await load());
    close();
  };
  const [text, isOpen] = [recording.notes, opened !== null];
  if (!canEdit && !text && !isOpen) return null;
  return html`<section class="summary" id="notes" tabindex="-1" aria-labelledby="notes-title" ref=${form}>
    <div class="title">
      <h2 id="notes-title">${t(VIEW.notes)}</h2>
      ${
        canEdit &&
        !isOpen &&
        html`<button class="button" ref=${button} onClick=${open}>${t(VIEW.editNotes)}</button>`
      }
    </div>
    ${theirs && isOpen && html`<p class="hint">${t(VIEW.theirs)}</p>`}
    ${(theirs || !isOpen) && html`<p class="prose plain" dir="auto">${isOpen ? theirs : text}</p>`}
    ${
      isOpen &&
      html`<${Form} action=${t(COMMON.save)} onSubmit=${save} onCancel=${close}>
        <textarea
          name="notes"
          maxlength="100000"
          rows="8"
          dir="auto"
          aria-labelledby="notes-title"
          defaultValue=${opened}
        ></textarea>
      <//>`
    }
  </section>`;
}
