import { api } from '../api.js';
import { html } from '../html.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { QUESTIONS } from '../texts/insights.js';
import { ANSWER_MS, Conversation } from './conversation.js';
import { Filters, filtersOf } from './filters.js';

/** @import { Ask } from './conversation.js' */

/** @type {Ask} */
const ask = (question, signal) =>
  api.post('/questions', { body: { question, ...filtersOf() }, signal, timeout: ANSWER_MS });

/** Questions to all meetings, or to those that the filters leave. */
export function View() {
  return html`<${PageTitle} title=${t(QUESTIONS.ofAllTitle)} />
    <${Filters} />
    <${Conversation} ask=${ask} hint=${t(QUESTIONS.ofAll)} />`;
}
