import { useEffect } from 'preact/hooks';
import { saveAs } from '../ui/download.js';
import { html } from '../html.js';
import { at } from '../router.js';
import { formatBytes, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { UPLOADS } from '../texts/uploads.js';
import { ask } from '../ui/dialog.js';
import { say } from '../ui/toast.js';
import { DropTarget, uploadFiles } from './drop.js';
import { giveAgain, pause, remove, resume, uploads } from './queue.js';
import { startUploads, wholeOf } from './sending.js';

/** @import { Text } from '../text.js' */
/** @import { Upload } from './store.js' */

/** @type {HTMLInputElement | null} */
let input = null;
/** What is chosen again, if not something new. @type {Upload | undefined} */
let wanted;

/** Asks for files to upload. @param {Upload} [again] the one whose file is needed once more */
export function chooseFiles(again) {
  wanted = again;
  input?.click();
}

function take() {
  const files = [...(input?.files ?? [])];
  // The same file can be chosen again.
  if (input) input.value = '';
  if (!wanted) return uploadFiles(files);
  if (files[0] && !giveAgain(wanted, files[0])) say({ text: t(UPLOADS.notSame, { title: wanted.title }) });
}

/** The uploads of this user and how far they are; files can be dropped anywhere. */
export function UploadsPanel() {
  useEffect(() => void startUploads(), []);
  // What is being recorded is shown where it is.
  const all = [...uploads.value.values()].filter(({ state }) => state !== 'recording');
  const done = all.filter(({ state }) => state === 'done');
  const list = [...all.filter((upload) => !done.includes(upload)), ...done];
  const text = list.length > 0 ? textOf(list) : '';
  const clear = () => {
    for (const upload of done) void remove(upload);
    moveFocus();
  };
  return html`<input
      type="file"
      multiple
      hidden
      accept="audio/*,video/*,.mkv,.mka,.mts,.m2ts,.mxf,.opus,.caf,.amr,.tta,.wv"
      aria-label=${t(UPLOADS.choose)}
      ref=${(/** @type {HTMLInputElement | null} */ element) => (input = element)}
      onChange=${take}
    />
    <${DropTarget} />
    ${
      text &&
      html`<section class="uploads" aria-label=${t(UPLOADS.title)}>
        <details open=${done.length < all.length}>
          <summary><span role="status">${text}</span></summary>
          <ul>
            ${list.map((upload) => html`<${Row} key=${upload.id} upload=${upload} />`)}
          </ul>
          ${done.length > 0 && html`<button class="link" onClick=${clear}>${t(UPLOADS.clear)}</button>`}
        </details>
      </section>`
    }`;
}

const NEEDS_HELP = new Set(['failed', 'missing']);

/** How far they are together; once all are finished, the panel folds. @param {readonly Upload[]} list */
function textOf(list) {
  const stuck = list.filter(({ state }) => NEEDS_HELP.has(state)).length;
  const open = list.filter(({ state }) => state !== 'done').length;
  if (stuck > 0) return t(UPLOADS.attention, { n: stuck });
  return open > 0 ? t(UPLOADS.unfinished, { n: open }) : t(UPLOADS.finished);
}

/** The button that had it is gone. */
const moveFocus = () =>
  setTimeout(() =>
    /** @type {HTMLElement} */ (
      document.querySelector('.uploads summary') ?? document.getElementById('content')
    ).focus(),
  );

/** @param {{ upload: Upload }} props */
function Row({ upload }) {
  const { id, title, state, sent, size, begun, isLive } = upload;
  const isDone = state === 'done';
  const cancel = async () => {
    const text = t(isLive ? UPLOADS.cancelLive : UPLOADS.cancelText, { title });
    const question = { title: t(UPLOADS.cancelAsk), text, action: t(UPLOADS.cancelDo), isDanger: true };
    if (!isDone && !(await ask(question))) return;
    moveFocus();
    await remove(upload);
  };
  /** @type {readonly (readonly [isOffered: boolean, label: Text, run: () => unknown])[]} */
  const actions = [
    [state === 'waiting', UPLOADS.pause, () => pause(id)],
    [state === 'paused', UPLOADS.resume, () => resume(id)],
    [state === 'failed', COMMON.tryAgain, () => resume(id)],
    [state === 'missing', UPLOADS.chooseAgain, () => chooseFiles(upload)],
    [state === 'failed' && isLive, UPLOADS.saveHere, () => save(upload)],
    [true, isDone ? UPLOADS.remove : COMMON.cancel, cancel],
  ];
  return html`<li class="upload">
    <p class="upload-title" dir="auto" title=${title}>${title}</p>
    <p class=${NEEDS_HELP.has(state) ? 'mistake' : 'hint'}>${statusOf(upload)}</p>
    ${
      !isDone &&
      html`<progress
        aria-label=${t(UPLOADS.progress, { title })}
        value=${size === null ? undefined : sent}
        max=${size ?? undefined}
      ></progress>`
    }
    <div class="upload-actions">
      ${begun && (isDone || isLive) && html`<a class="link" href=${at(`/recordings/${begun.id}`)} aria-label=${`${t(UPLOADS.open)}: ${title}`}>${t(UPLOADS.open)}</a>`}
      ${actions.map(
        ([isOffered, label, run]) =>
          isOffered &&
          html`<button class="link" aria-label=${`${t(label)}: ${title}`} onClick=${run}>
            ${t(label)}
          </button>`,
      )}
    </div>
  </li>`;
}

/** @param {Upload} upload */
function statusOf({ state, sent, size, problem, delay }) {
  const values = {
    sent: formatBytes(sent),
    size: formatBytes(size ?? sent),
    percent: Math.floor((100 * sent) / (size ?? Infinity)),
  };
  if (state === 'failed') return problem;
  if (state === 'missing' || state === 'done' || state === 'paused') return t(UPLOADS[state], values);
  if (delay) return delay;
  if (size === null) return t(UPLOADS.finishing, values);
  return t(sent > 0 ? UPLOADS.sent : UPLOADS.waiting, values);
}

/** Saves a recording as a file, such as one that the service has no room for. @param {Upload} upload */
async function save({ id, title }) {
  const whole = await wholeOf(id);
  if (whole) saveAs(whole, title, whole.type.includes('mp4') ? 'mp4' : 'webm');
}
