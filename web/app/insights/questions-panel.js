import { useId } from 'preact/hooks';
import { api } from '../api.js';
import { html } from '../html.js';
import { t } from '../text.js';
import { QUESTIONS } from '../texts/insights.js';
import { reasonText } from '../ui/parts.js';
import { Conversation } from './conversation.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Ask } from './conversation.js' */

/** Questions to one recording, whose citations lead to the moments. @param {{ recording: Schemas['RecordingDetail'] }} props */
export function QuestionsPanel({ recording: { id, capabilities, capabilityReasons } }) {
  const titleId = useId();
  /** @type {Ask} */
  const ask = (question, options) =>
    api.post('/recordings/{id}/questions', { path: { id }, body: { question }, ...options });
  return html`<section class="insight" aria-labelledby=${titleId}>
    <div class="title"><h2 id=${titleId}>${t(QUESTIONS.title)}</h2></div>
    ${
      capabilities.canAskQuestions
        ? html`<${Conversation} key=${id} ask=${ask} hint=${t(QUESTIONS.ofOne)} />`
        : html`<p class="hint">${reasonText(capabilityReasons.canAskQuestions)}</p>`
    }
  </section>`;
}
