import { useId, useRef, useState } from 'preact/hooks';
import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';
import { attempt, reasonText } from '../ui/parts.js';
import { Owners, useFocusedForm } from './action-item.js';
import { SummaryContent } from './summary-content.js';
import { SummaryEditor } from './summary-editor.js';
import { SummaryVersions } from './summary-versions.js';

/** @import { Schemas } from 'meeting-recording-client' */

const IN_THE_MAKING = new Set(['queued', 'processing']);

/** Summary, decisions and action items of a recording, whose topics are its chapters. @param {{ recording: Schemas['RecordingDetail'], onChange: () => void }} props `onChange`: something of the recording has changed */
export function SummaryPanel({ recording, onChange }) {
  const { id, summary, capabilities, capabilityReasons, transcription } = recording;
  const titleId = useId();
  const [isEditing, setEditing] = useState(false);
  const [showsVersions, setShowsVersions] = useState(false);
  const [panel, button] = useFocusedForm(isEditing);

  const { canGenerateSummary: mayGenerate, canViewSummary: mayView } = capabilities;
  const against = capabilityReasons.canGenerateSummary;
  // All that a summary needs besides the right to change it is a transcript.
  const mayEdit = mayGenerate || against?.reason === 'not_ready';
  const reason = mayEdit ? '' : reasonText(against);
  const isMade = IN_THE_MAKING.has(summary.status);
  const isThere = summary.status === 'completed';
  const status = useRef(/** @type {HTMLElement | null} */ (null));
  const generate = async () => {
    if (!(await attempt(() => api.post('/recordings/{id}/summary', { path: { id } })))) return;
    // The button will be gone.
    status.current?.focus();
    onChange();
  };
  const actions = html`<div class="insight-actions">
    ${mayEdit && !isMade && html`<button type="button" class="button" ref=${button} onClick=${() => setEditing(true)}>${t(isThere ? SUMMARY.edit : SUMMARY.write)}</button>`}
    ${isThere && html`<button type="button" class="button" onClick=${() => setShowsVersions(true)}>${t(SUMMARY.versions)}</button>`}
    ${!isMade && html`<button type="button" class="button" disabled=${!mayGenerate} aria-describedby=${against && `${titleId}-why`} onClick=${generate}>${t(isThere ? SUMMARY.again : SUMMARY.generate)}</button>`}
  </div>`;
  const end = (/** @type {boolean} */ hasChanged) => {
    setEditing(false);
    if (hasChanged) onChange();
  };
  return html`<section class="insight" aria-labelledby=${titleId} ref=${panel}>
    <div class="insight-head">
      <h2 id=${titleId}>${t(SUMMARY.title)}</h2>
      ${mayView && !isEditing && actions}
    </div>
    ${mayView && !isMade && !isEditing && against && html`<p class="hint" id=${`${titleId}-why`}>${against.reason === 'not_ready' ? t(SUMMARY.needsTranscript) : reasonText(against)}</p>`}
    <div role="status" tabindex="-1" ref=${status}>
      ${isMade && html`<p>${t(summary.status === 'queued' ? SUMMARY.queued : SUMMARY.processing)}</p>`}
      ${summary.statusReason && html`<p class="mistake">${t(SUMMARY.failed)} <span lang="en">${summary.statusReason}</span></p>`}
      ${mayView && summary.status === 'not_started' && html`<p class="hint">${t(SUMMARY.none)}</p>`}
    </div>
    ${!mayView && html`<p class="hint">${reasonText(capabilityReasons.canViewSummary)}</p>`}
    ${isEditing && html`<${SummaryEditor} id=${id} onEnd=${end} />`}
    ${mayView && isThere && !isEditing && html`<${SummaryContent} summary=${summary} recordingId=${id} reason=${reason} onChange=${onChange} listsTopics=${false} />`}
    <${Owners} names=${transcription.speakers} />
    ${showsVersions && html`<${SummaryVersions} id=${id} mayRestore=${mayEdit} onClose=${() => setShowsVersions(false)} onRestore=${onChange} />`}
  </section>`;
}
