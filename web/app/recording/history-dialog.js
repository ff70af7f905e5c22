import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { formatTime, t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';
import { CAUSES, VIEW } from '../texts/recording.js';
import { Dialog } from '../ui/dialog.js';
import { attempt, Loaded } from '../ui/parts.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Recording } from './states.js' */
/** @import { WholeTranscript } from './whole-transcript.js' */
/** @typedef {Schemas['TranscriptRevision']} Revision */

/** The revisions of a transcript, each of which can be brought back. @param {{ recording: Recording, transcript: WholeTranscript | null, onClose: () => void }} props */
export function HistoryDialog({ recording: { id, capabilities }, transcript, onClose }) {
  const path = { id };
  const revisions = useData(() => api.get('/recordings/{id}/transcript/revisions', { path }), [id]);
  const restore = async (/** @type {number} */ revision) => {
    if (await attempt(async () => transcript?.restore(revision))) onClose();
    else revisions.reload();
  };
  return html`<${Dialog} title=${t(VIEW.history)} onClose=${onClose}>
    <${Loaded} of=${revisions}>
      ${(/** @type {Revision[]} */ all) =>
        html`<ul class="form">
          ${all.map(({ revision, cause, createdAt, createdBy, current }) => {
            const offer = html`<button class="button" onClick=${() => restore(revision)}>
              ${t(SUMMARY.restore)}
            </button>`;
            return html`<li key=${revision} class="title">
              <p>
                <strong>${t(CAUSES[cause] ?? VIEW.history)}</strong><br />
                <span class="hint">
                  ${formatTime(createdAt)}${createdBy && html` · <bdi>${createdBy.name}</bdi>`}
                </span>
              </p>
              ${current ? t(SUMMARY.current) : transcript && capabilities.canRenameSpeaker && offer}
            </li>`;
          })}
        </ul>`}
    <//>
  <//>`;
}
