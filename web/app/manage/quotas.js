import { html } from '../html.js';
import { formatBytes, formatNumber, formatTime, t } from '../text.js';
import { QUOTAS } from '../texts/manage.js';
import { Head } from './list.js';

/** @import { Schemas } from 'meeting-recording-client' */

const FORMATS = { stored_bytes: formatBytes, recordings: formatNumber, uploads_per_day: formatNumber };
const NAMES = /** @type {(keyof typeof FORMATS)[]} */ (Object.keys(FORMATS));

/** What is used of each quota, and what happens when it is full. @param {{ title: string, quotas: Schemas['QuotaSet'], isPage?: boolean }} props */
export const Quotas = ({ title, quotas, isPage }) =>
  html`<section aria-label=${title}>
    <${Head} title=${title} about=${QUOTAS.whenFull} isPage=${isPage} />
    <dl class="quotas">${NAMES.map((name) => html`<${Quota} name=${name} ...${quotas[name]} />`)}</dl>
  </section>`;

/** @param {{ name: keyof typeof FORMATS, used: number, limit: number | null, resets_at?: string }} props */
function Quota({ name, used, limit, resets_at: resetsAt }) {
  const format = FORMATS[name];
  const label = t(QUOTAS[name]);
  const isFull = limit !== null && used >= limit;
  const amounts = { used: format(used), limit: format(limit ?? 0) };
  return html`<div class=${isFull ? 'full' : ''}>
    <dt>${label}</dt>
    <dd>
      ${limit !== null && html`<progress aria-label=${label} max=${Math.max(limit, 1)} value=${used}></progress>`}
      <p>${t(limit === null ? QUOTAS.unlimited : QUOTAS.of, amounts)}${isFull && ` · ${t(QUOTAS.full)}`}</p>
      ${resetsAt && html`<p class="hint">${t(QUOTAS.resets, { time: formatTime(resetsAt) })}</p>`}
    </dd>
  </div>`;
}
