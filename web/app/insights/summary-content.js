import { h } from 'preact';
import { html } from '../html.js';
import { t } from '../text.js';
import { SUMMARY } from '../texts/insights.js';
import { ActionItem, Moment } from './action-item.js';
import { readMarkdown } from './markdown.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** @param {import('./markdown.js').Node} node @returns {import('preact').ComponentChild} */
const show = (node) => (typeof node === 'string' ? node : h(node.tag, node.props, node.children.map(show)));

/**
 * A summary with decisions, action items and topics; `reason`: why action items cannot be changed.
 * @param {{ summary: Pick<Schemas['Summary'], 'content' | 'topics' | 'decisions' | 'actionItems'>, reason: string, recordingId?: string, onChange?: () => void }} props
 */
export function SummaryContent({ summary, reason, recordingId = '', onChange }) {
  const { content, decisions, actionItems, topics } = summary;
  return html`${content && html`<div class="prose" dir="auto">${readMarkdown(content).map(show)}</div>`}
  ${
    decisions.length > 0 &&
    html`<h3>${t(SUMMARY.decisions)}</h3>
      <ul class="findings">
        ${decisions.map(({ text, start }) => html`<li><span dir="auto">${text}</span> <${Moment} start=${start} /></li>`)}
      </ul>`
  }
  ${
    actionItems.length > 0 &&
    html`<h3>${t(SUMMARY.actionItems)}</h3>
      <ul class="action-items">
        ${actionItems.map(
          (item) =>
            html`<li key=${item.id}>
              <${ActionItem} item=${item} recordingId=${recordingId} reason=${reason} onChange=${onChange} />
            </li>`,
        )}
      </ul>`
  }
  ${
    topics.length > 0 &&
    html`<h3>${t(SUMMARY.topics)}</h3>
      ${topics.map(
        ({ title, start, keyPoints }) =>
          html`<div class="summary-topic">
            <${Moment} start=${start} />
            <details>
              <summary><bdi>${title}</bdi></summary>
              <ul class="findings">
                ${keyPoints.map(
                  ({ point, start: at, details }) =>
                    html`<li>
                      <span dir="auto">${point}</span> <${Moment} start=${at} />
                      ${details.map((detail) => html`<p class="hint" dir="auto">${detail}</p>`)}
                    </li>`,
                )}
              </ul>
            </details>
          </div>`,
      )}`
  }`;
}
