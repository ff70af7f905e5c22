import { api } from '../api.js';
import { download, saveAs } from '../download.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { EXPORTS } from '../texts/insights.js';
import { attempt, Menu, reasonText } from '../ui/parts.js';

/** @import { Schemas } from 'meeting-recording-client' */

const PARTS = /** @type {const} */ ([
  [
    'transcription',
    'transcript',
    EXPORTS.transcript,
    'canViewTranscription',
    ['vtt', 'srt', 'txt', 'md', 'json'],
  ],
  ['summary', 'summary', COMMON.summary, 'canViewSummary', ['md', 'json']],
]);

/** With a URL of now: that of the page may have expired. @param {string} id */
async function downloadMedia(id) {
  const { downloadUrl } = await api.get('/recordings/{id}', { path: { id } });
  if (downloadUrl) download(downloadUrl);
}

/** A part of the recording with its formats, or why it cannot be had. @param {{ name: string, isThere: boolean, against?: Schemas['CapabilityReason'], children?: unknown }} props */
function Part({ name, isThere, against, children }) {
  return html`<div role="group" aria-label=${name}>
    <p class="hint">${name}</p>
    ${!against && isThere ? children : html`<p>${reasonText(against) || t(EXPORTS.notThere)}</p>`}
  </div>`;
}

/** What can be downloaded of a recording: media, transcript and summary in all formats. @param {{ recording: Schemas['RecordingDetail'] }} props */
export function ExportMenu({ recording }) {
  const { id, title, downloadUrl, capabilities, capabilityReasons: reasons } = recording;
  const hasMedia = capabilities.canDownload && downloadUrl !== null;
  return html`<div class="exports">
    <${Menu} label=${t(EXPORTS.title)}>
      <${Part} name=${t(EXPORTS.media)} isThere=${hasMedia} against=${reasons.canDownload}>
        <button onClick=${() => attempt(() => downloadMedia(id))}>${t(EXPORTS.file)}</button>
      <//>
      ${PARTS.map(([field, part, name, capability, formats]) => {
        const isThere = recording[field].status === 'completed';
        const save = (/** @type {(typeof formats)[number]} */ format) => async () => {
          // The formats of a part are those of its path.
          const options = /** @type {any} */ ({ path: { id }, query: { format } });
          saveAs(await api.text(`/recordings/{id}/${part}`, options), title, format);
        };
        return html`<${Part} name=${t(name)} isThere=${isThere} against=${reasons[capability]}>
          ${formats.map((format) => html`<button onClick=${() => attempt(save(format))}>${t(EXPORTS[format])}</button>`)}
        <//>`;
      })}
    <//>
  </div>`;
}
