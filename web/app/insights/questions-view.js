import { html } from '../html.js';

/** @param {{ params: readonly string[] }} props */
export function View({ params }) {
  return html`<p>insights/questions-view ${params.join(' ')}</p>`;
}
