import { find } from '../../share/scripts/dom.js';
import { html } from '../html.js';
import { ExportMenu } from '../insights/export-menu.js';
import { ShareDialog } from '../insights/share-dialog.js';
import { deleteSoon, mayChange, move, rename } from '../library/recording-actions.js';
import { navigate } from '../router.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/library.js';
import { KEY_LIST, STAGE, VIEW } from '../texts/recording.js';
import { open } from '../ui/dialog.js';
import { Menu, reasonText } from '../ui/parts.js';
import { HistoryDialog } from './history-dialog.js';
import { transcribe } from './making.js';
import { isPlayable, transcriptOf } from './states.js';

/** @import { Text } from '../text.js' */
/** @import { Recording } from './states.js' */
/** @import { WholeTranscript } from './whole-transcript.js' */

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];

/** @param {number} speed */
const speedOf = (speed) => html`<option value=${speed} selected=${speed === 1}>${speed}×</option>`;

/** What can be done with a recording. What cannot says why, or is absent if it is not for this user. @param {{ recording: Recording, transcript: WholeTranscript | null, onChange: () => void }} props */
export function Actions({ recording, transcript, onChange }) {
  const { capabilities, capabilityReasons } = recording;
  const canChange = mayChange(recording);
  const [hasPlayer, hasText] = [isPlayable(recording), transcriptOf(recording) === 'whole'];
  const refusal = reasonText(capabilityReasons.canShare);
  const openDialog = (/** @type {typeof HistoryDialog | typeof ShareDialog} */ Content) =>
    open(
      ({ onClose }) =>
        html`<${Content} recording=${recording} transcript=${transcript} onClose=${onClose} />`,
    );
  const remove = () => {
    deleteSoon([recording]);
    navigate('/');
  };
  /** @type {readonly (readonly [isOffered: boolean, label: Text, run: () => unknown])[]} */
  const items = [
    [canChange, LIST.rename, () => rename(recording)],
    [canChange, LIST.move, () => move([recording])],
    [capabilities.canRegenerateTranscription, VIEW.transcribeAgain, () => transcribe(recording, onChange)],
    [hasText, VIEW.history, () => openDialog(HistoryDialog)],
    [hasText || hasPlayer, VIEW.keys, () => find('keys', HTMLDialogElement)?.showModal()],
    [canChange, COMMON.delete, remove],
  ];
  const offered = items.filter(([isOffered]) => isOffered);
  return html`<div class="actions">
    ${
      (hasPlayer || hasText) &&
      html`<button id="copy" class="button">${t(STAGE.copyLink)} <span id="copy-time">0:00</span></button>`
    }
    ${
      hasPlayer &&
      html`<label class="speed">
        <span>${t(STAGE.speed)}</span
        ><select id="speed">
          ${SPEEDS.map(speedOf)}
        </select>
      </label>`
    }
    ${
      hasPlayer &&
      html`<label class="speed" hidden>
        <span>${t(STAGE.voice)}</span
        ><select id="voice">
          <option value="">${t(STAGE.everyone)}</option>
        </select>
      </label>`
    }
    ${
      hasPlayer &&
      recording.captionsUrl &&
      html`<button id="captions" class="button" aria-pressed="false">${t(STAGE.captions)}</button>`
    }
    <button
      class="button"
      disabled=${!capabilities.canShare}
      aria-describedby=${refusal ? 'share-reason' : undefined}
      onClick=${() => openDialog(ShareDialog)}
    >
      ${t(VIEW.share)}
    </button>
    <${ExportMenu} recording=${recording} />
    ${
      offered.length > 0 &&
      html`<${Menu} label=${t(COMMON.actions)} isIcon>
        ${offered.map(([, label, run]) => html`<button onClick=${run}>${t(label)}</button>`)}
      <//>`
    }
    <p class="copied">
      <span id="copied" role="status"></span>
      <input id="link" type="text" readonly hidden aria-label=${t(STAGE.link)} />
    </p>
    ${refusal && html`<p id="share-reason" class="hint">${t(VIEW.share)}: ${refusal}</p>`}
  </div>`;
}

/** The list of shortcuts, which the shared script opens. */
export function Keys() {
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">${t(VIEW.keys)}</h2>
    <dl>
      ${KEY_LIST.map(
        ([keys, text]) =>
          html`<div>
            <dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt>
            <dd>${t(text)}</dd>
          </div>`,
      )}
    </dl>
    <label><input id="keys-on" type="checkbox" defaultChecked /> ${t(VIEW.enableKeys)}</label>
    <form method="dialog"><button class="button" autofocus>${t(COMMON.close)}</button></form>
  </dialog>`;
}
