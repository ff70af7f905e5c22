import { ApiError } from 'meeting-recording-client';
import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { navigate } from '../router.js';
import { loadSession, me } from '../session.js';
import { formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST, SECTIONS } from '../texts/manage.js';
import { SETTINGS, STATUSES, STREAM } from '../texts/settings.js';
import { Form } from '../ui/form.js';
import { Loaded } from '../ui/parts.js';
import { say } from '../ui/toast.js';
import { Act, choice, Fields, flagFields, input, nameField, readFlags, tick } from './actions.js';
import { Head } from './list.js';
import { optionsOf } from './people.js';
import { FEATURES } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Action } from './actions.js' */
/** @import { SectionProps } from './organization-view.js' */
/** @typedef {Schemas['AuditStream']} Stream */

/** @param {SectionProps} props */
export function Settings({ id, role, organization, people, reload }) {
  const isOwner = role === 'OWNER';
  const plans = useData((signal) => api.get('/plans', { signal }), []);
  const included = plans.data?.find(({ plan }) => plan === organization.plan)?.features;
  const missing = (/** @type {typeof FEATURES[number]} */ name) =>
    included?.[name] === false ? t(SETTINGS.noPlan, { plan: organization.plan }) : '';
  const save = async (/** @type {Record<string, string>} */ { name, take, days, sso, ...values }) => {
    const features = readFlags(FEATURES, values);
    const rules = {
      members_may_take_recordings: Boolean(take),
      api_key_max_days: Number(days) || null,
      sso_provider: sso || null,
    };
    await api.patch('/organizations/{id}', { path: { id }, body: { name, features, ...rules } });
    say({ text: t(LIST.saved) });
    reload();
    await loadSession();
  };
  const days = { type: 'number', min: 1, max: 3650, value: organization.api_key_max_days ?? '' };
  const sso = { maxlength: 40, value: organization.sso_provider ?? '' };
  const fields = [
    nameField(organization.name),
    ...flagFields(FEATURES, organization.features, missing),
    tick('take', SETTINGS.take, organization.members_may_take_recordings, SETTINGS.takeHint),
    input('days', SETTINGS.keyDays, { ...days, hint: SETTINGS.keyDaysHint }),
    input('sso', SETTINGS.sso, { ...sso, hint: SETTINGS.ssoHint }),
  ];
  return html`<section class="settings">
    <${Head} isPage title=${t(SECTIONS.settings)} about=${isOwner ? undefined : SETTINGS.onlyOwners} />
    ${
      isOwner
        ? html`<${Form} action=${t(COMMON.save)} onSubmit=${save}><${Fields} fields=${fields} /><//>`
        : html`<fieldset class="form" disabled>
            <legend class="unseen">${t(SECTIONS.settings)}</legend>
            <${Fields} fields=${fields} />
          </fieldset>`
    }
    <${Plan} ...${organization} />
    ${isOwner && html`<${Ownership} organization=${organization} people=${people} reload=${reload} />`}
    ${
      isOwner &&
      html`<h2>${t(SETTINGS.remove)}</h2>
        <p class="hint">${t(SETTINGS.removeText)}</p>
        <${Act} of=${removal(organization)} />`
    }
  </section>`;
}

/** @param {Schemas['OrganizationDetail']} props */
function Plan({ plan, subscription: { status, ends_at: ends } }) {
  const values = { status: t(STATUSES[status]), time: formatTime(ends) };
  return html`<h2>${t(SETTINGS.plan)}</h2>
    <p>${plan} · ${ends ? t(SETTINGS.ends, values) : values.status}</p>
    <p class="hint">${t(SETTINGS.planHint)}</p>`;
}

/** @param {Pick<SectionProps, 'organization' | 'people' | 'reload'>} props */
function Ownership({ organization: { id, transfer }, people, reload }) {
  const others = people.filter((one) => one.id !== me.value?.id && one.role !== 'OWNER');
  const path = { id };
  const offer = {
    label: SETTINGS.offer,
    text: SETTINGS.transferText,
    fields: [choice('to', SETTINGS.to, optionsOf(others))],
    run: ({ to = '' }) => api.post('/organizations/{id}/transfer', { path, body: { user_id: to } }),
  };
  const cancel = {
    label: SETTINGS.cancelOffer,
    run: () => api.delete('/organizations/{id}/transfer', { path }),
  };
  const name = people.find((one) => one.id === transfer?.user_id)?.name ?? '…';
  const now = transfer
    ? t(SETTINGS.offered, { name, time: formatTime(transfer.expires_at) })
    : t(SETTINGS.transferText);
  return html`<h2>${t(SETTINGS.transfer)}</h2>
    <p class="hint">${others.length > 0 || transfer ? now : t(SETTINGS.nobody)}</p>
    ${(others.length > 0 || transfer) && html`<${Act} of=${transfer ? cancel : offer} onDone=${reload} />`}`;
}

/** @param {Schemas['OrganizationDetail']} organization @returns {Action} */
function removal({ id, name }) {
  const check = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.currentTarget);
    field.setCustomValidity(field.value.trim() === name ? '' : t(SETTINGS.wrongName));
  };
  return {
    label: SETTINGS.remove,
    isDanger: true,
    said: LIST.deleted,
    text: SETTINGS.removeText,
    fields: [
      choice('recordings', SETTINGS.recordings, [
        ['', t(SETTINGS.keep)],
        ['delete', t(SETTINGS.deleteAll)],
      ]),
      input('name', t(SETTINGS.typeName, { name }), {
        required: true,
        autocomplete: 'off',
        dir: 'auto',
        onInput: check,
      }),
    ],
    run: async ({ recordings }) => {
      await api.delete('/organizations/{id}', {
        path: { id },
        query: { recordings: recordings ? 'delete' : undefined },
      });
      navigate('/organizations');
      await loadSession();
    },
  };
}

/** Where the audit log is sent. @param {SectionProps} props */
export function AuditStream({ id }) {
  const path = { id };
  const loaded = useData((signal) => readStream(id, signal), [id]);
  const save = async (/** @type {Record<string, string>} */ { url = '', format, token }) => {
    const body = { url, format: /** @type {Stream['format']} */ (format), token: token || null };
    loaded.set(await api.put('/organizations/{id}/audit-stream', { path, body }));
    say({ text: t(LIST.saved) });
  };
  const remove = () => api.delete('/organizations/{id}/audit-stream', { path });
  const stop = { label: STREAM.stop, isDanger: true, text: STREAM.stopText, said: STREAM.off, run: remove };
  const shown = (/** @type {Stream | null} */ now) =>
    html`<p role="status">${streamText(now)}</p>
      <${Form} key=${now?.url} action=${t(COMMON.save)} onSubmit=${save}
        ><${Fields} fields=${streamFields(now)}
      /><//>
      ${now && html`<${Act} of=${stop} onDone=${loaded.reload} />`}`;
  return html`<section class="settings">
    <${Head} isPage title=${t(SECTIONS['audit-stream'])} about=${STREAM.about} />
    <${Loaded} of=${loaded}>${shown}<//>
  </section>`;
}

/** @param {string} id @param {AbortSignal} signal @returns {Promise<Stream | null>} null: it is sent nowhere */
async function readStream(id, signal) {
  try {
    return await api.get('/organizations/{id}/audit-stream', { path: { id }, signal });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUDIT_STREAM_NOT_FOUND') return null;
    throw error;
  }
}

/** @param {Stream | null} now */
function streamText(now) {
  if (!now) return t(STREAM.off);
  if (now.failing_since)
    return t(STREAM.failing, { time: formatTime(now.failing_since), error: now.last_error ?? '' });
  return t(now.sent_at ? STREAM.sent : STREAM.unsent, {
    time: formatTime(now.sent_at),
    lag: now.lag_seconds,
  });
}

/** @param {Stream | null} now */
const streamFields = (now) => [
  input('url', STREAM.url, { type: 'url', required: true, maxlength: 2000, value: now?.url }),
  choice('format', STREAM.format, STREAM_FORMATS, now?.format),
  input('token', STREAM.token, { hint: STREAM.tokenHint, autocomplete: 'off', maxlength: 2000 }),
];

/** Names of products and formats. */
const STREAM_FORMATS = /** @type {const} */ ([
  ['ndjson', 'JSON lines (OCSF)'],
  ['splunk', 'Splunk HEC'],
  ['datadog', 'Datadog'],
]);
