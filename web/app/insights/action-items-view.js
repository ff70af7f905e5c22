import { html } from '../html.js';

/** @param {{ params: readonly string[] }} props */
export function View({ params }) {
  return html`<p>insights/action-items-view ${params.join(' ')}</p>`;
}
