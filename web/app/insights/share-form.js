import { useState } from 'preact/hooks';
import { html } from '../html.js';
import { formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { SHARE } from '../texts/insights.js';
import { Check, Field, Form } from '../ui/form.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['ShareLink']} Link */
/** @typedef {{ expires_at?: string | null, expires_in?: number, password?: string | null, label?: string | null, tracks?: boolean }} Options */

const DAY_S = 86_400;
const KEEP = 'keep';
const ON_DATE = 'date';

/** @param {Record<string, string>} values @param {Link | undefined} link @returns {Options} */
function optionsOf({ expiry = '', date = '', password = '', removes = '', label = '', tracks = '' }, link) {
  const name = label.trim() || null;
  return {
    ...(name !== (link?.label ?? null) && { label: name }),
    ...(expiry === '' && link?.expires_at && { expires_at: null }),
    // The whole of that day, where the person is.
    ...(expiry === ON_DATE && { expires_at: new Date(`${date}T23:59:59`).toISOString() }),
    ...(Number(expiry) > 0 && { expires_in: Number(expiry) }),
    ...(password && { password }),
    ...(removes && { password: null }),
    ...((tracks !== '') !== (link?.tracks ?? false) && { tracks: tracks !== '' }),
  };
}

/** The options of a share link: of a new one, or to change those of `link`. @param {{ link?: Link, onSubmit: (options: Options, permission: Link['permission']) => Promise<unknown>, onCancel?: () => void }} props */
export function ShareForm({ link, onSubmit, onCancel }) {
  const [expiry, setExpiry] = useState(link?.expires_at ? KEEP : '');
  const permissions = /** @type {const} */ (['view', 'download']).map((one) => [one, t(SHARE[one])]);
  const expiries = [
    ...(link?.expires_at ? [[KEEP, formatTime(link.expires_at)]] : []),
    ['', t(SHARE.never)],
    ...[1, 7, 30].map((days) => [String(days * DAY_S), t(SHARE.inDays, { n: days })]),
    [ON_DATE, t(SHARE.onDate)],
  ];
  const submit = async (
    /** @type {Record<string, string>} */ values,
    /** @type {HTMLFormElement} */ form,
  ) => {
    await onSubmit(optionsOf(values, link), values.permission === 'download' ? 'download' : 'view');
    if (link) return;
    form.reset();
    setExpiry('');
  };
  const today = new Date().toLocaleDateString('sv');
  return html`<${Form} action=${t(link ? COMMON.save : SHARE.create)} onSubmit=${submit} onCancel=${onCancel}>
    <div class="field-columns">
      ${!link && html`<${Field} name="permission" label=${t(SHARE.permission)} options=${permissions} />`}
      <${Field}
        name="label"
        label=${t(SHARE.label)}
        value=${link?.label ?? ''}
        maxlength="100"
        dir="auto"
        autocomplete="off"
      />
      <${Field}
        name="expiry"
        label=${t(SHARE.expiry)}
        options=${expiries}
        value=${expiry}
        onValue=${setExpiry}
      />
      ${expiry === ON_DATE && html`<${Field} name="date" label=${t(SHARE.date)} type="date" required min=${today} />`}
      <${Field}
        name="password"
        label=${t(link?.has_password ? SHARE.newPassword : SHARE.password)}
        type="password"
        minlength="4"
        maxlength="200"
        autocomplete="new-password"
      />
      <${Check} name="tracks" label=${t(SHARE.tracks)} defaultChecked=${link?.tracks} />
      ${link?.has_password && html`<${Check} name="removes" label=${t(SHARE.noPassword)} />`}
    </div>
  <//>`;
}
