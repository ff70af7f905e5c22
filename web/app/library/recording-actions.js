import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { ApiError } from 'meeting-recording-client';
import { api, explain, explainDetail } from '../api.js';
import { html } from '../html.js';
import { manages, me, organizations, roleIn } from '../session.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { DOING, FILTERS } from '../texts/library.js';
import { Dialog } from '../ui/dialog.js';
import { Field, Form } from '../ui/form.js';
import { say } from '../ui/toast.js';
import { foldersOf } from './folders.js';
import { change, hide, remove } from './recordings.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Pick<Schemas['RecordingDetail'], 'id' | 'title' | 'organizationId' | 'folderId'> & { owner?: Schemas['RecordingOwner'] | null }} Chosen A recording that something is done to. */
/** @typedef {{ title: string, why: string }} Failure */

const UNDO_MS = 10_000;
const MAX_TITLE = 500;
/** As many as the API takes at once. */
const BATCH = 1_000;
/** As many failures are listed. */
const MAX_LISTED = 100;

/** The dialog that the list shows. */
export const opened = signal(
  /** @type {{ kind: 'rename' | 'move', recordings: readonly Chosen[] } | { kind: 'failed', failures: readonly Failure[] } | null} */ (
    null
  ),
);

/** Whether they may rename, move or delete it. @param {Pick<Chosen, 'organizationId' | 'owner'>} recording */
export const mayChange = ({ organizationId, owner }) =>
  !organizationId ||
  manages(organizationId) ||
  (roleIn(organizationId) === 'EDITOR' && owner?.id === me.value?.id);

/** Renames a recording. @param {{ recording: Chosen, onClose: () => void, onDone: () => void }} props */
export function RenameDialog({ recording: { id, title }, onClose, onDone }) {
  const save = async (/** @type {Record<string, string>} */ values) => {
    const renamed = { title: values.title?.trim() ?? '' };
    await api.patch('/recordings/{id}', { path: { id }, body: renamed });
    change([id], renamed);
    onDone();
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

/** Moves recordings to another folder or organization. @param {{ recordings: readonly Chosen[], onClose: () => void, onDone: () => void }} props */
export function MoveDialog({ recordings, onClose, onDone }) {
  const [first] = recordings;
  const [organization, setOrganization] = useState(first?.organizationId ?? '');
  const [folder, setFolder] = useState(first?.folderId ?? '');
  const isOwn = recordings.every(
    ({ organizationId, owner }) => !organizationId || owner === undefined || owner?.id === me.value?.id,
  );
  const places = organizations.value.filter(({ role }) => role !== 'VIEWER');
  const folders = foldersOf(organization);
  const to = { organizationId: organization || null, folderId: folder || null };
  const from = recordings.filter((one) => (one.organizationId ?? '') !== organization);
  const hints = [
    from.some((one) => one.organizationId) && DOING.leaves,
    from.some((one) => !one.organizationId) && DOING.joins,
    organization && from.length === 0 && DOING.staysVisible,
    folders.find(({ id }) => id === folder)?.is_restricted && DOING.restricted,
  ];
  const move = async () => {
    const body = {
      ...(from.length > 0 && { organization_id: to.organizationId }),
      ...(organization && { folder_id: to.folderId }),
    };
    const failed = await moveAll(recordings, body);
    const moved = recordings.filter(({ id }) => !failed.has(id));
    change(
      moved.map(({ id }) => id),
      to,
    );
    if (failed.size === 0) say({ text: t(DOING.moved, { n: moved.length }) });
    onDone();
    onClose();
    tell(recordings, failed);
  };
  return html`<${Dialog} title=${t(DOING.moveTitle, { n: recordings.length })} onClose=${onClose}>
    <${Form} onSubmit=${move} action=${t(DOING.move)} onCancel=${onClose}>
      <${Field}
        label=${t(DOING.to)}
        name="organization"
        value=${organization}
        options=${[...(isOwn ? [['', t(COMMON.personal)]] : []), ...places.map(({ id, name }) => [id, name])]}
        onChange=${(/** @type {Event} */ event) => {
          setOrganization(valueOf(event));
          setFolder('');
        }}
      />
      ${
        folders.length > 0 &&
        html`<${Field}
          label=${t(FILTERS.folder)}
          name="folder"
          value=${folder}
          options=${[['', t(COMMON.noFolder)], ...folders.map(({ id, name }) => [id, name])]}
          onChange=${(/** @type {Event} */ event) => setFolder(valueOf(event))}
        />`
      }
      <div role="status">${hints.map((hint) => hint && html`<p class="hint">${t(hint)}</p>`)}</div>
    <//>
  <//>`;
}

/** @param {Event} event */
const valueOf = ({ target }) => /** @type {HTMLSelectElement} */ (target).value;

/** One that cannot be moved is an error of the form; of several, each succeeds or fails. @param {readonly Chosen[]} recordings @param {{ organization_id?: string | null, folder_id?: string | null }} body */
async function moveAll(recordings, body) {
  const [{ id } = { id: '' }] = recordings;
  if (Object.keys(body).length === 0) return new Map();
  if (recordings.length > 1) return changeAll(recordings, { action: 'move', ...body });
  await api.patch('/recordings/{id}', { path: { id }, body });
  return new Map();
}

/** Why some could not be changed, by their ids. @param {readonly Chosen[]} recordings @param {Omit<Schemas['BulkRecordingsRequest'], 'ids'>} request */
async function changeAll(recordings, request) {
  /** @type {Map<string, string>} */
  const failed = new Map();
  for (let at = 0; at < recordings.length; at += BATCH) {
    const ids = recordings.slice(at, at + BATCH).map(({ id }) => id);
    const { results } = await api.post('/recordings/bulk', { body: { mode: 'each', ...request, ids } });
    for (const { id, error } of results)
      if (error && !isDone(request, error.code)) failed.set(id, explainDetail(error));
  }
  return failed;
}

/** What is gone need not be deleted. @param {{ action: string }} request @param {string} code */
const isDone = ({ action }, code) => action === 'delete' && code === 'RECORDING_NOT_FOUND';

/** Says which were not changed, and why. @param {readonly Chosen[]} recordings @param {ReadonlyMap<string, string>} failed */
function tell(recordings, failed) {
  const failures = recordings
    .filter(({ id }) => failed.has(id))
    .map(({ id, title }) => ({ title, why: failed.get(id) ?? '' }));
  const [first] = failures;
  if (failures.length > 1) opened.value = { kind: 'failed', failures };
  else if (first) say({ text: t(DOING.notDone, first) }, UNDO_MS);
}

/** The dialog that was asked for in the list. */
export function OpenedDialog() {
  const what = opened.value;
  if (!what) return null;
  const onClose = () => (opened.value = null);
  if (what.kind === 'failed') return html`<${Failures} failures=${what.failures} onClose=${onClose} />`;
  const common = { onClose, onDone: () => undefined };
  return what.kind === 'rename'
    ? html`<${RenameDialog} recording=${/** @type {Chosen} */ (what.recordings[0])} ...${common} />`
    : html`<${MoveDialog} recordings=${what.recordings} ...${common} />`;
}

/** @param {{ failures: readonly Failure[], onClose: () => void }} props */
function Failures({ failures, onClose }) {
  const rest = failures.length - MAX_LISTED;
  return html`<${Dialog} title=${t(DOING.notDoneMany, { n: failures.length })} onClose=${onClose}>
    <ul class="form">
      ${failures.slice(0, MAX_LISTED).map(({ title, why }) => html`<li><b dir="auto">${title}</b> ${why}</li>`)}
    </ul>
    ${rest > 0 && html`<p>${t(DOING.andMore, { n: rest })}</p>`}
  <//>`;
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
  const text =
    recordings.length === 1
      ? t(DOING.deleted, { title: first.title })
      : t(DOING.deletedMany, { n: recordings.length });
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
  const takeBack = say({ text, action: { label: t(COMMON.undo), run: undo } }, UNDO_MS);
}

/** @param {string} id */
function focusRow(id) {
  const title = document.querySelector(`[data-id="${id}"] .recording-title`);
  if (title instanceof HTMLElement) title.focus();
}

/** @param {readonly Chosen[]} recordings */
async function deleteNow(recordings) {
  const failed = await deleteAll(recordings);
  const ids = recordings.map(({ id }) => id);
  remove(ids.filter((id) => !failed.has(id)));
  hide(ids, false);
  tell(recordings, failed);
}

/** @param {readonly Chosen[]} recordings @returns {Promise<ReadonlyMap<string, string>>} */
async function deleteAll(recordings) {
  const [{ id } = { id: '' }] = recordings;
  try {
    if (recordings.length > 1) return await changeAll(recordings, { action: 'delete' });
    await api.delete('/recordings/{id}', { path: { id } });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RECORDING_NOT_FOUND') return new Map();
    return new Map(recordings.map((one) => [one.id, explain(error)]));
  }
  return new Map();
}
