import { html } from '../html.js';
import { formatBytes, formatNumber, formatTime, t } from '../text.js';
import { QUOTAS } from '../texts/manage.js';
import { Head } from './list.js';

const FORMATS = /** @type {const} */ ({
  stored_bytes: formatBytes,
  recordings: formatNumber,
  uploads_per_day: formatNumber,
});
const NAMES = /** @type {(keyof typeof FORMATS)[]} */ (Object.keys(FORMATS));

/** What is used of each quota, and what happens when it is full. @param {{ title: string, quotas: import('meeting-recording-client').Schemas['QuotaSet'], isPage?: boolean }} props */
export const Quotas = ({ title, quotas, isPage }) =>
  html`<section aria-label=${title}>
    <${Head} title=${title} about=${QUOTAS.whenFull} isPage=${isPage} />
    <dl class="quotas">
      ${NAMES.map((name) => html`<${Quota} key=${name} label=${t(QUOTAS[name])} ...${quotas[name]} format=${FORMATS[name]} />`)}
    </dl>
  </section>`;

/** @param {{ label: string, used: number, limit: number | null, resets_at?: string, format: (value: number) => string }} props */
function Quota({ label, used, limit, resets_at: resetsAt, format }) {
  const isFull = limit !== null && used >= limit;
  const told = t(limit === null ? QUOTAS.unlimited : QUOTAS.of, {
    used: format(used),
    limit: format(limit ?? 0),
  });
  return html`<div class=${isFull ? 'quota full' : 'quota'}>
    <dt>${label}</dt>
    <dd>
      ${limit !== null && html`<progress aria-label=${label} max=${Math.max(limit, 1)} value=${used}></progress>`}
      <p>${told}${isFull && ` · ${t(QUOTAS.full)}`}</p>
      ${resetsAt && html`<p class="hint">${t(QUOTAS.resets, { time: formatTime(resetsAt) })}</p>`}
    </dd>
  </div>`;
}
