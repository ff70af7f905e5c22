import { useEffect } from 'preact/hooks';
import { html } from '../html.js';
import { at } from '../router.js';
import { formatBytes, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { UPLOADS } from '../texts/uploads.js';
import { ask } from '../ui/dialog.js';
import { say } from '../ui/toast.js';
import { DropTarget, uploadFiles } from './drop.js';
import {
  announced,
  delays,
  giveAgain,
  pause,
  remove,
  resume,
  startUploads,
  uploads,
  wholeOf,
} from './queue.js';

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
  const list = uploads.value.filter(({ state }) => state !== 'recording');
  return html`<input
      type="file"
      multiple
      hidden
      accept="audio/*,video/*,.mkv,.mka,.mts,.m2ts,.mxf,.opus,.caf,.amr,.tta,.wv"
      aria-label=${t(UPLOADS.choose)}
      ref=${(/** @type {HTMLInputElement | null} */ element) => (input = element)}
      onChange=${take}
    />
    <p class="unseen" role="status">${announced.value}</p>
    <${DropTarget} /> ${list.length > 0 && html`<${Panel} list=${list} />`}`;
}

/** @param {{ list: readonly Upload[] }} props */
function Panel({ list }) {
  const count = (/** @type {readonly Upload['state'][]} */ ...states) =>
    list.filter(({ state }) => states.includes(state)).length;
  const stuck = count('failed', 'missing');
  const going = count('waiting', 'paused', 'finishing');
  const text =
    stuck > 0
      ? t(UPLOADS.attention, { n: stuck })
      : going > 0
        ? t(UPLOADS.unfinished, { n: going })
        : t(UPLOADS.finished);
  const done = list.filter(({ state }) => state === 'done');
  const others = list.filter(({ state }) => state !== 'done');
  const clear = () => {
    done.forEach(remove);
    moveFocus();
  };
  return html`<section class="uploads" aria-label=${t(UPLOADS.title)}>
    <details open=${going + stuck > 0}>
      <summary>${text}</summary>
      <ul>
        ${[...others, ...done].map((upload) => html`<${Row} key=${upload.id} upload=${upload} />`)}
      </ul>
      ${done.length > 0 && html`<button type="button" class="link" onClick=${clear}>${t(UPLOADS.clear)}</button>`}
    </details>
  </section>`;
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
  const action = (/** @type {string} */ label, /** @type {() => unknown} */ run) =>
    html`<button type="button" class="link" aria-label=${`${label}: ${title}`} onClick=${run}>
      ${label}
    </button>`;
  const cancel = async () => {
    const text = t(isLive ? UPLOADS.cancelLive : UPLOADS.cancelText, { title });
    if (
      state !== 'done' &&
      !(await ask({ title: t(UPLOADS.cancelAsk), text, action: t(UPLOADS.cancelDo), isDanger: true }))
    )
      return;
    moveFocus();
    await remove(upload);
  };
  return html`<li class="upload">
    <p class="upload-title" dir="auto" title=${title}>${title}</p>
    <p class=${state === 'failed' || state === 'missing' ? 'mistake' : 'hint'}>${statusOf(upload)}</p>
    ${
      ['waiting', 'paused', 'finishing'].includes(state) &&
      html`<progress
        aria-label=${t(UPLOADS.progress, { title })}
        value=${size === null ? undefined : sent}
        max=${size ?? undefined}
      ></progress>`
    }
    <div class="upload-actions">
      ${state === 'waiting' && action(t(UPLOADS.pause), () => pause(id))}
      ${state === 'paused' && action(t(UPLOADS.resume), () => resume(id))}
      ${state === 'failed' && action(t(COMMON.tryAgain), () => resume(id))}
      ${state === 'missing' && action(t(UPLOADS.chooseAgain), () => chooseFiles(upload))}
      ${state === 'failed' && isLive && action(t(UPLOADS.saveHere), () => save(upload))}
      ${begun && (state === 'done' || isLive) && html`<a href=${at(`/recordings/${begun.id}`)} aria-label=${`${t(UPLOADS.open)}: ${title}`}>${t(UPLOADS.open)}</a>`}
      ${action(t(state === 'done' ? UPLOADS.remove : COMMON.cancel), cancel)}
    </div>
  </li>`;
}

/** @param {Upload} upload */
function statusOf({ id, state, sent, size, problem }) {
  const values = {
    sent: formatBytes(sent),
    size: formatBytes(size ?? sent),
    percent: Math.floor((100 * sent) / (size ?? Infinity)),
  };
  if (state === 'failed') return problem;
  if (state === 'missing') return t(UPLOADS.missing);
  if (state === 'done') return t(UPLOADS.done, values);
  if (state === 'paused') return t(UPLOADS.paused, values);
  if (delays.value[id]) return delays.value[id];
  if (size === null) return t(UPLOADS.finishing, values);
  return t(sent > 0 ? UPLOADS.sent : UPLOADS.waiting, values);
}

/** Saves a recording as a file, such as one that the service has no room for. @param {Upload} upload */
async function save({ id, title }) {
  const whole = await wholeOf(id);
  if (!whole) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(whole);
  link.download = `${title}.${whole.type.includes('mp4') ? 'mp4' : 'webm'}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
