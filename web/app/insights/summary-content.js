import { h } from 'preact';
import { html } from '../html.js';
import { t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { SUMMARY } from '../texts/insights.js';
import { ActionItem, Moment } from './action-item.js';
import { readMarkdown } from './markdown.js';
import { Topics } from './topics.js';

/** @import { Schemas } from 'meeting-recording-client' */

/** @param {import('./markdown.js').Node} node @returns {import('preact').ComponentChild} */
const show = (node) => (typeof node === 'string' ? node : h(node.tag, node.props, node.children.map(show)));

/**
 * A summary with decisions, action items and topics; `reason`: why action items cannot be changed.
 * @param {{ summary: Pick<Schemas['Summary'], 'content' | 'topics' | 'decisions' | 'actionItems'>, reason: string, recordingId?: string, onChange?: () => void, listsTopics?: boolean }} props
 */
export function SummaryContent({ summary, reason, recordingId = '', onChange, listsTopics = true }) {
  const { content, decisions, actionItems, topics } = summary;
  const decided = decisions.map(
    ({ text, start }) => html`<li><span dir="auto">${text}</span> <${Moment} start=${start} /></li>`,
  );
  const toDo = actionItems.map(
    (item) => html`<li key=${item.id}><${ActionItem} ...${{ item, recordingId, reason, onChange }} /></li>`,
  );
  return html`${content && html`<div class="prose" dir="auto">${readMarkdown(content).map(show)}</div>`}
  ${
    decided.length > 0 &&
    html`<h3>${t(SUMMARY.decisions)}</h3>
      <ul class="findings">
        ${decided}
      </ul>`
  }
  ${
    toDo.length > 0 &&
    html`<h3>${t(FRAME.actionItems)}</h3>
      <ul class="entries">
        ${toDo}
      </ul>`
  }
  ${
    listsTopics &&
    topics.length > 0 &&
    html`<h3>${t(SUMMARY.topics)}</h3>
      <div class="topics"><${Topics} topics=${topics} /></div>`
  }`;
}
