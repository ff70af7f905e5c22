import { html } from '../html.js';

/** @param {{ params: readonly string[] }} props */
export function View({ params }) {
  return html`<p>manage/webhook-view ${params.join(' ')}</p>`;
}
