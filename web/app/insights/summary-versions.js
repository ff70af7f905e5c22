import { useState } from 'preact/hooks';
import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { formatTime, t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';
import { Dialog } from '../ui/dialog.js';
import { attempt, Loaded } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { SummaryContent } from './summary-content.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['SummaryRevision']} Revision */

const CAUSES = { import: SUMMARY.byImport, generation: SUMMARY.byGeneration, restore: SUMMARY.byRestore };
const PATH = '/recordings/{id}/summary/revisions';

/** Earlier versions of a summary, to look at and to restore. @param {{ id: string, mayRestore: boolean, onClose: () => void, onRestore: () => void }} props */
export function SummaryVersions({ id, mayRestore, onClose, onRestore }) {
  const versions = useData((signal) => api.get(PATH, { path: { id }, signal }), [id]);
  const restore = async (/** @type {number} */ revision) => {
    await api.post(`${PATH}/{revision}/restore`, { path: { id, revision } });
    say({ text: t(SUMMARY.restored) });
    onRestore();
    onClose();
  };
  const offer = (/** @type {Revision} */ { revision }) =>
    html`<button class="button" onClick=${() => attempt(() => restore(revision))}>
      ${t(SUMMARY.restore)}
    </button>`;
  return html`<${Dialog} title=${t(SUMMARY.versions)} onClose=${onClose} wide>
    <${Loaded} of=${versions}>
      ${(/** @type {readonly Revision[]} */ list) =>
        html`<ul class="entries">
          ${list.map(
            (version) =>
              html`<li key=${version.revision}>
                <${Version} id=${id} version=${version} /> ${mayRestore && !version.current && offer(version)}
              </li>`,
          )}
        </ul>`}
    <//>
  <//>`;
}

/** Loaded once it is opened. @param {{ id: string, version: Revision }} props */
function Version({ id, version: { revision, createdAt, createdBy, cause, current } }) {
  const [isOpen, setOpen] = useState(false);
  const path = { id, revision };
  const content = useData(
    async (signal) => (isOpen ? api.get(`${PATH}/{revision}`, { path, signal }) : null),
    [id, revision, isOpen],
  );
  return html`<details class="version" onToggle=${() => setOpen(true)}>
    <summary>
      <strong>${formatTime(createdAt)}</strong> ${cause && t(CAUSES[cause])} <bdi>${createdBy?.name}</bdi>
      ${current && html` <em>${t(SUMMARY.current)}</em>`}
    </summary>
    <${Loaded} of=${content}>
      ${(/** @type {Schemas['SummaryRevisionContent'] | null} */ summary) =>
        summary && html`<${SummaryContent} summary=${summary} reason=${t(SUMMARY.earlier)} />`}
    <//>
  </details>`;
}
