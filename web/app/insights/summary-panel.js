import { useId, useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { SUMMARY } from '../texts/insights.js';
import { open } from '../ui/dialog.js';
import { useFocusedForm } from '../ui/form.js';
import { attempt, reasonText } from '../ui/parts.js';
import { Owners } from './action-item.js';
import { SummaryContent } from './summary-content.js';
import { SummaryEditor } from './summary-editor.js';
import { SummaryVersions } from './summary-versions.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** Until there is one, by status. @type {Readonly<Record<string, import('../text.js').Text>>} */
const NO_SUMMARY = { queued: SUMMARY.queued, processing: SUMMARY.processing, not_started: SUMMARY.none };

/** Summary, decisions and action items of a recording, whose topics are its chapters. @param {{ recording: Schemas['RecordingDetail'], onChange: () => void }} props `onChange`: something of the recording has changed */
export function SummaryPanel({ recording, onChange }) {
  const { id, summary, capabilities, capabilityReasons, transcription } = recording;
  const titleId = useId();
  const [isEditing, setEditing] = useState(false);
  const [panel, button] = useFocusedForm(isEditing);
  const status = useRef(/** @type {HTMLElement | null} */ (null));

  const { canGenerateSummary: mayGenerate, canViewSummary: mayView } = capabilities;
  const against = capabilityReasons.canGenerateSummary;
  // All that a summary needs besides the right to change it is a transcript.
  const mayEdit = mayGenerate || against?.reason === 'not_ready';
  const isMade = ['queued', 'processing'].includes(summary.status);
  const isThere = summary.status === 'completed';
  const without = NO_SUMMARY[summary.status];
  const generate = async () => {
    if (!(await attempt(() => api.post('/recordings/{id}/summary', { path: { id } })))) return;
    // The button will be gone.
    status.current?.focus();
    onChange();
  };
  const end = (/** @type {boolean} */ hasChanged) => {
    setEditing(false);
    if (hasChanged) onChange();
  };
  const edit = html`<button class="button" ref=${button} onClick=${() => setEditing(true)}>
    ${t(isThere ? SUMMARY.edit : SUMMARY.write)}
  </button>`;
  const showVersions = () =>
    open(
      ({ onClose }) =>
        html`<${SummaryVersions} ...${{ id, mayRestore: mayEdit, onClose, onRestore: onChange }} />`,
    );
  const versions = html`<button class="button" onClick=${showVersions}>${t(SUMMARY.versions)}</button>`;
  const again = html`<button
    class="button"
    disabled=${!mayGenerate}
    aria-describedby=${against && `${titleId}-why`}
    onClick=${generate}
  >
    ${t(isThere ? SUMMARY.again : SUMMARY.generate)}
  </button>`;
  const content = html`${!isMade && against && html`<p class="hint" id=${`${titleId}-why`}>${reasonText(against)}</p>`}
  ${isThere && html`<${SummaryContent} summary=${summary} recordingId=${id} reason=${mayEdit ? '' : reasonText(against)} onChange=${onChange} listsTopics=${false} />`}`;
  return html`<section class="insight" aria-labelledby=${titleId} ref=${panel}>
    <div class="title">
      <h2 id=${titleId}>${t(COMMON.summary)}</h2>
      ${mayView && !isEditing && html`<div class="buttons">${mayEdit && !isMade && edit} ${isThere && versions} ${!isMade && again}</div>`}
    </div>
    <div role="status" tabindex="-1" ref=${status}>
      ${mayView && without && html`<p class="hint">${t(without)}</p>`}
      ${summary.statusReason && html`<p class="mistake">${t(SUMMARY.failed)} <span lang="en">${summary.statusReason}</span></p>`}
    </div>
    ${!mayView && html`<p class="hint">${reasonText(capabilityReasons.canViewSummary)}</p>`}
    ${isEditing && html`<${SummaryEditor} id=${id} onEnd=${end} />`} ${mayView && !isEditing && content}
    <${Owners} names=${transcription.speakers} />
  </section>`;
}
