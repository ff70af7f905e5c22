import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { EXPORTS } from '../texts/insights.js';
import { attempt, Menu, reasonText } from '../ui/parts.js';
import { download, save } from '../ui/save.js';

/** @import { Schemas } from 'meeting-recording-client' */

const PARTS = /** @type {const} */ ([
  ['transcription', 'transcript', 'canViewTranscription', ['vtt', 'srt', 'txt', 'md', 'json']],
  ['summary', 'summary', 'canViewSummary', ['md', 'json']],
]);
const MAX_NAME = 100;

/** A title as the name of a file on any system. @param {string} title @param {string} extension */
export function fileNameOf(title, extension) {
  const safe = title.replace(/[\p{C}\p{Z}<>:"/\\|?*]+/gu, ' ').replace(/^[. ]+/, '');
  const name = [...safe]
    .slice(0, MAX_NAME)
    .join('')
    .replace(/[. ]+$/, '');
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)?(?:\.|$)/i.test(name);
  return `${isReserved ? `recording ${name}`.trim() : name}.${extension}`;
}

/** With a URL of now: that of the page may have expired. @param {string} id */
async function downloadMedia(id) {
  const { downloadUrl } = await api.get('/recordings/{id}', { path: { id } });
  if (downloadUrl) download(downloadUrl, '');
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
  return html`<div class="exports">
    <${Menu} label=${t(EXPORTS.title)}>
      <${Part}
        name=${t(EXPORTS.media)}
        isThere=${capabilities.canDownload && downloadUrl !== null}
        against=${reasons.canDownload}
      >
        <button type="button" onClick=${() => attempt(() => downloadMedia(id))}>${t(EXPORTS.file)}</button>
      <//>
      ${PARTS.map(([field, part, capability, formats]) => {
        const isThere = recording[field].status === 'completed';
        const read = (/** @type {(typeof formats)[number]} */ format) => async () => {
          // The formats of a part are those of its path.
          const options = /** @type {any} */ ({ path: { id }, query: { format } });
          save(await api.text(`/recordings/{id}/${part}`, options), fileNameOf(title, format));
        };
        return html`<${Part} name=${t(EXPORTS[part])} isThere=${isThere} against=${reasons[capability]}>
          ${formats.map((format) => html`<button type="button" onClick=${() => attempt(read(format))}>${t(EXPORTS[format])}</button>`)}
        <//>`;
      })}
    <//>
  </div>`;
}
