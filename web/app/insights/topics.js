import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** Topics with their key points, as share pages have them. @param {{ topics: readonly Schemas['Topic'][], hasMoments?: boolean }} props `hasMoments`: whether there is something for times to lead to */
export const Topics = ({ topics, hasMoments = true }) =>
  html`<ol>
    ${topics.map(({ title, start, keyPoints }) => {
      const moment = html`<a class="topic" href=${`#t=${start}`}
        ><span class="at">${formatClock(start ?? 0)}</span> <span>${title}</span></a
      >`;
      return html`<li>
        ${hasMoments && start !== null ? moment : html`<p class="topic">${title}</p>`}
        ${keyPoints.length > 0 && html`<${KeyPoints} of=${title} points=${keyPoints} hasMoments=${hasMoments} />`}
      </li>`;
    })}
  </ol>`;

/** @param {{ of: string, points: Schemas['Topic']['keyPoints'], hasMoments: boolean }} props */
const KeyPoints = ({ of, points, hasMoments }) =>
  html`<details>
    <summary><span class="unseen">${t(SUMMARY.keyPoints)} ${of}</span></summary>
    <ul>
      ${points.map(
        ({ point, start, details }) =>
          html`<li>
            <strong dir="auto">${point}</strong>
            ${hasMoments && start !== null && html`<a class="at" href=${`#t=${start}`}>${formatClock(start)}</a>`}
            ${details.map((detail) => html`<p dir="auto">${detail}</p>`)}
          </li>`,
      )}
    </ul>
  </details>`;
