import { formatClock } from '../../share/scripts/moments.js';
import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { nameOfOrganization } from '../session.js';
import { formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { STAGE, STATUSES, VIEW } from '../texts/recording.js';

/** @import { Recording } from './states.js' */

/** When it was, how long, whose, and where it is. @param {{ recording: Recording }} props */
export function Facts({ recording }) {
  const { organizationId, folderId, owner, duration, media, status, startedAt, createdAt } = recording;
  const folder = useData(
    (signal) => nameOfFolder(organizationId, folderId, signal),
    [organizationId, folderId],
  );
  const place = organizationId === null ? t(COMMON.personal) : nameOfOrganization(organizationId);
  return html`<ul class="facts" aria-label=${t(VIEW.details)}>
    <li><time datetime=${startedAt ?? createdAt}>${formatTime(startedAt ?? createdAt)}</time></li>
    ${duration !== null && html`<li>${formatClock(duration)}</li>`}
    ${media === 'none' && html`<li>${t(STAGE.noMedia)}</li>`}
    <li><bdi>${owner ? owner.name : t(VIEW.unknownOwner)}</bdi></li>
    ${place && html`<li><bdi>${place}</bdi>${folder.data && html` / <bdi>${folder.data}</bdi>`}</li>`}
    <li>${STATUSES[status] && t(STATUSES[status])}</li>
  </ul>`;
}

/** @param {string | null} organizationId @param {string | null} folderId @param {AbortSignal} signal */
async function nameOfFolder(organizationId, folderId, signal) {
  if (!organizationId || !folderId) return null;
  const call = { path: { id: organizationId }, query: { limit: 100 }, signal };
  for await (const { id, name } of api.list('/organizations/{id}/folders', call))
    if (id === folderId) return name;
  return null;
}
