import { html } from '../html.js';

/** @param {{ params: readonly string[] }} props */
export function View({ params }) {
  return html`<p>manage/organizations-view ${params.join(' ')}</p>`;
}
