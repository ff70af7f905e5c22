import { formatClock } from '../../share/scripts/moments.js';
import { nameOfFolder } from '../folders.js';
import { html } from '../html.js';
import { nameOfOrganization } from '../session.js';
import { formatDate, formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/library.js';
import { REMOVED, STAGE, STATUSES, VIEW } from '../texts/recording.js';

/** @import { Recording } from './states.js' */

/** When it was, how long, whose, and where it is. @param {{ recording: Recording }} props */
export function Facts({ recording }) {
  const { organizationId, owner, duration, media, status, startedAt, createdAt } = recording;
  const { retentionRule: rule, retentionEndsAt: endsAt } = recording;
  const place = organizationId === null ? t(COMMON.personal) : nameOfOrganization(organizationId);
  const folder = nameOfFolder(recording);
  return html`<ul class="facts" aria-label=${t(VIEW.details)}>
    <li><time datetime=${startedAt ?? createdAt}>${formatTime(startedAt ?? createdAt)}</time></li>
    ${duration !== null && html`<li>${formatClock(duration)}</li>`}
    ${media === 'none' && html`<li>${t(STAGE.noMedia)}</li>`}
    <li><bdi>${owner ? owner.name : t(LIST.unknownOwner)}</bdi></li>
    ${place && html`<li><bdi>${place}</bdi>${folder && html` / <bdi>${folder}</bdi>`}</li>`}
    <li>${STATUSES[status] && t(STATUSES[status])}</li>
    ${rule && endsAt && html`<li>${t(REMOVED[rule.removes], { date: formatDate(endsAt) })}</li>`}
  </ul>`;
}
