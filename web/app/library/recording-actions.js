import { useState } from 'preact/hooks';
import { api, explain, explainDetail } from '../api.js';
import { foldersOf } from '../folders.js';
import { html } from '../html.js';
import { manages, me, organizations, roleIn } from '../session.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { DOING } from '../texts/library.js';
import { Dialog, open } from '../ui/dialog.js';
import { Field, Form } from '../ui/form.js';
import { PlaceFields } from '../ui/place-fields.js';
import { say } from '../ui/toast.js';
import { change, hide, remove } from './recordings.js';
import { focusRow } from './window.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Place } from '../ui/place-fields.js' */
/** @typedef {Pick<Schemas['RecordingDetail'], 'id' | 'title' | 'organizationId' | 'folderId'> & { owner?: Schemas['RecordingOwner'] | null }} Chosen A recording that something is done to. */

const UNDO_MS = 10_000;
const MAX_TITLE = 500;
/** As many as the API takes at once. */
const BATCH = 1_000;
/** As many failures are listed. */
const MAX_LISTED = 100;

/** Whether they may rename, move or delete it. @param {Pick<Chosen, 'organizationId' | 'owner'>} recording */
export const mayChange = ({ organizationId, owner }) =>
  !organizationId ||
  manages(organizationId) ||
  (roleIn(organizationId) === 'EDITOR' && owner?.id === me.value?.id);

/** Renames a recording. @param {{ recording: Chosen, onClose: () => void, onDone?: () => void }} props */
function RenameDialog({ recording: { id, title }, onClose, onDone }) {
  const save = async (/** @type {Record<string, string>} */ values) => {
    const renamed = { title: values.title?.trim() ?? '' };
    await api.patch('/recordings/{id}', { path: { id }, body: renamed });
    change([id], renamed);
    onDone?.();
    onClose();
  };
  return html`<${Dialog} title=${t(DOING.renameTitle)} onClose=${onClose}>
    <${Form} onSubmit=${save} action=${t(COMMON.save)} onCancel=${onClose}>
      <${Field}
        label=${t(DOING.title)}
        name="title"
        value=${title}
        dir="auto"
        required
        maxlength=${MAX_TITLE}
        autofocus
      />
    <//>
  <//>`;
}

/** Opens the dialog to rename a recording. @param {Chosen} recording */
export const rename = (recording) =>
  open(({ onClose }) => html`<${RenameDialog} recording=${recording} onClose=${onClose} />`);

/** Opens the dialog to move recordings. @param {readonly Chosen[]} recordings */
export const move = (recordings) =>
  open(({ onClose }) => html`<${MoveDialog} recordings=${recordings} onClose=${onClose} />`);

/** Moves recordings to another folder or organization. @param {{ recordings: readonly Chosen[], onClose: () => void, onDone?: () => void }} props */
function MoveDialog({ recordings, onClose, onDone }) {
  const [place, setPlace] = useState(/** @type {Place} */ (recordings[0] ?? {}));
  const to = { organizationId: place.organizationId || null, folderId: place.folderId || null };
  const from = recordings.filter(({ organizationId }) => organizationId !== to.organizationId);
  // Of several, each is moved or not: those of others never become personal.
  const mayBePersonal = recordings.some(
    ({ organizationId, owner }) => !organizationId || owner === undefined || owner?.id === me.value?.id,
  );
  const hints = [
    from.some(({ organizationId }) => organizationId) && DOING.leaves,
    from.some(({ organizationId }) => !organizationId) && DOING.joins,
    to.organizationId && from.length === 0 && DOING.staysVisible,
    foldersOf(to.organizationId).find(({ id }) => id === to.folderId)?.is_restricted && DOING.restricted,
  ];
  const submit = async () => {
    const body = {
      ...(from.length > 0 && { organization_id: to.organizationId }),
      ...(to.organizationId && { folder_id: to.folderId }),
    };
    // Personal ones that stay personal.
    if (Object.keys(body).length === 0) return onClose();
    const failed = await changeAll(recordings, { action: 'move', ...body });
    const ids = recordings.map(({ id }) => id).filter((id) => !failed.has(id));
    change(ids, to);
    if (failed.size === 0) say({ text: t(DOING.moved, { n: ids.length }) });
    onDone?.();
    onClose();
    tell(recordings, failed);
  };
  return html`<${Dialog} title=${t(DOING.moveTitle, { n: recordings.length })} onClose=${onClose}>
    <${Form} onSubmit=${submit} action=${t(DOING.move)} onCancel=${onClose}>
      <${PlaceFields}
        place=${place}
        choices=${organizations.value.filter(({ role }) => role !== 'VIEWER')}
        without=${mayBePersonal && t(COMMON.personal)}
        noFolder=${t(COMMON.noFolder)}
        onPlace=${setPlace}
      />
      <div role="status">${hints.map((hint) => hint && html`<p class="hint">${t(hint)}</p>`)}</div>
    <//>
  <//>`;
}

/** Resolves to why some could not be changed, by their ids. @param {readonly Chosen[]} recordings @param {Omit<Schemas['BulkRecordingsRequest'], 'ids'>} request */
async function changeAll(recordings, request) {
  /** @type {Map<string, string>} */
  const failed = new Map();
  for (let at = 0; at < recordings.length; at += BATCH) {
    const ids = recordings.slice(at, at + BATCH).map(({ id }) => id);
    const { results } = await api.post('/recordings/bulk', { body: { mode: 'each', ...request, ids } });
    for (const { id, error } of results) {
      // What is gone need not be deleted.
      const isDone = request.action === 'delete' && error?.code === 'RECORDING_NOT_FOUND';
      if (error && !isDone) failed.set(id, explainDetail(error));
    }
  }
  return failed;
}

/** Says which were not changed, and why. @param {readonly Chosen[]} recordings @param {ReadonlyMap<string, string>} failed */
function tell(recordings, failed) {
  const failures = recordings.filter(({ id }) => failed.has(id)).slice(0, MAX_LISTED);
  const whyOf = (/** @type {Chosen} */ { id }) => failed.get(id) ?? '';
  const [first] = failures;
  if (!first) return;
  if (failed.size === 1) {
    say({ text: t(DOING.notDone, { title: first.title, why: whyOf(first) }) }, UNDO_MS);
    return;
  }
  open(
    ({ onClose }) =>
      html`<${Dialog} title=${t(DOING.notDoneMany, { n: failed.size })} onClose=${onClose}>
        <ul class="form">
          ${failures.map((one) => html`<li><b dir="auto">${one.title}</b> ${whyOf(one)}</li>`)}
        </ul>
        ${failed.size > MAX_LISTED && html`<p>${t(DOING.andMore, { n: failed.size - MAX_LISTED })}</p>`}
      <//>`,
  );
}

/** What is sent at once when the page is left. @type {Set<() => void>} */
const waiting = new Set();
addEventListener('pagehide', () => {
  for (const send of waiting) send();
});

/** Deletes recordings in ten seconds, unless that is undone; they are not listed any more. @param {readonly Chosen[]} recordings */
export function deleteSoon(recordings) {
  const [first] = recordings;
  if (!first) return;
  const ids = recordings.map(({ id }) => id);
  const stop = () => {
    clearTimeout(timer);
    waiting.delete(send);
    takeBack();
  };
  const undo = () => {
    stop();
    hide(ids, false);
    // The button of the toast has gone.
    requestAnimationFrame(() => focusRow(first.id));
  };
  const send = () => {
    stop();
    void deleteNow(recordings);
  };
  hide(ids, true);
  waiting.add(send);
  const timer = setTimeout(send, UNDO_MS);
  const text = t(DOING.deleted, { n: ids.length, title: first.title });
  const takeBack = say({ text, action: { label: t(COMMON.undo), run: undo } }, UNDO_MS);
}

/** @param {readonly Chosen[]} recordings */
async function deleteNow(recordings) {
  const ids = recordings.map(({ id }) => id);
  const failed = await changeAll(recordings, { action: 'delete' }).catch(
    (error) => new Map(ids.map((id) => [id, explain(error)])),
  );
  remove(ids.filter((id) => !failed.has(id)));
  hide(ids, false);
  tell(recordings, failed);
}
