import { formatClock } from '../../share/scripts/moments.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** Topics with their key points, as share pages have them. @param {{ topics: readonly Schemas['Topic'][], hasMoments?: boolean }} props `hasMoments`: whether there is something for times to lead to */
export function Topics({ topics, hasMoments = true }) {
  const isMoment = (/** @type {number | null} */ start) => hasMoments && start !== null;
  return html`<ol>
    ${topics.map(
      ({ title, start, keyPoints }) =>
        html`<li>
          ${
            isMoment(start)
              ? html`<a class="topic" href=${`#t=${start}`}
                  ><span class="at">${formatClock(start ?? 0)}</span> <span>${title}</span></a
                >`
              : html`<p class="topic">${title}</p>`
          }
          ${
            keyPoints.length > 0 &&
            html`<details>
              <summary><span class="unseen">${t(SUMMARY.keyPoints)} ${title}</span></summary>
              <ul>
                ${keyPoints.map(
                  ({ point, start: at, details }) =>
                    html`<li>
                      <strong dir="auto">${point}</strong>
                      ${isMoment(at) && html`<a class="at" href=${`#t=${at}`}>${formatClock(at ?? 0)}</a>`}
                      ${details.map((detail) => html`<p dir="auto">${detail}</p>`)}
                    </li>`,
                )}
              </ul>
            </details>`
          }
        </li>`,
    )}
  </ol>`;
}
