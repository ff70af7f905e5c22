import { api } from '../api.js';
import { html } from '../html.js';
import { PageTitle } from '../shell.js';
import { t } from '../text.js';
import { QUESTIONS } from '../texts/insights.js';
import { Filters, meetingFilters } from '../ui/filters.js';
import { Conversation } from './conversation.js';

/** @import { Ask } from './conversation.js' */

/** @type {Ask} */
const ask = (question, options) =>
  api.post('/questions', { body: { question, ...meetingFilters() }, ...options });

/** Questions to all meetings, or to those that the filters leave. */
export const View = () =>
  html`<${PageTitle} title=${t(QUESTIONS.ofAllTitle)} />
    <${Filters} />
    <${Conversation} ask=${ask} hint=${t(QUESTIONS.ofAll)} />`;
