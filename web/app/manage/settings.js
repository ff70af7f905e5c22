import { api } from '../api.js';
import { html } from '../html.js';
import { navigate } from '../router.js';
import { loadSession, me } from '../session.js';
import { formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { SETTINGS } from '../texts/settings.js';
import { Form } from '../ui/form.js';
import { say } from '../ui/toast.js';
import { Act, Fields, nameField } from './actions.js';
import { FEATURES, flagFields, readFlags } from './flags.js';
import { Head } from './list.js';
import { optionsOf } from './people.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Action } from './actions.js' */
/** @import { Context } from './people.js' */

const ORGANIZATION = '/organizations/{id}';
const LOGO = `${ORGANIZATION}/logo`;
const TRANSFER = `${ORGANIZATION}/transfer`;

/** In place of client IDs: no app is let in. */
const NO_APPS = '-';

/** @param {string} text */
function clientsIn(text) {
  const ids = text.split(/\s+/).filter((id) => id !== '');
  if (ids.length === 0) return null;
  return ids.filter((id) => id !== NO_APPS);
}

/** @param {Context & { title: string }} props */
export function Settings({ title, ...context }) {
  const { id, role, organization, reload } = context;
  const { plan, features: current, ...rules } = organization;
  const listed = rules.oauth_clients === null ? '' : rules.oauth_clients.join('\n') || NO_APPS;
  const save = async (
    /** @type {Record<string, string>} */ { name, take, days, bin, sso, accent, domain, apps, ...values },
  ) => {
    const features = readFlags(FEATURES, values);
    const changed = {
      members_may_take_recordings: Boolean(take),
      api_key_max_days: Number(days) || null,
      bin_days: bin ? Number(bin) : null,
      sso_provider: sso || null,
      branding: { accent: accent || null, domain: domain || null },
      oauth_clients: clientsIn(apps ?? ''),
    };
    await api.patch(ORGANIZATION, { path: { id }, body: { name, features, ...changed } });
    say({ text: t(LIST.saved) });
    reload();
    await loadSession();
  };
  const days = { type: 'number', min: 1, max: 3650, value: rules.api_key_max_days ?? '' };
  const bin = { type: 'number', min: 0, max: 365, value: rules.bin_days ?? '' };
  const sso = { maxlength: 40, value: rules.sso_provider ?? '' };
  const accent = { pattern: '#[0-9A-Fa-f]{6}', placeholder: '#7a1fa2', value: rules.branding.accent ?? '' };
  const domain = { maxlength: 253, placeholder: 'meetings.example.com', value: rules.branding.domain ?? '' };
  const apps = { rows: 3, value: listed, spellcheck: false };
  const fields = html`<${Fields}
    fields=${[
      nameField(organization.name),
      ...flagFields(FEATURES, current),
      { name: 'take', label: SETTINGS.take, defaultChecked: rules.members_may_take_recordings },
      { name: 'days', label: SETTINGS.keyDays, ...days },
      { name: 'bin', label: SETTINGS.binDays, ...bin },
      { name: 'sso', label: SETTINGS.sso, ...sso },
      { name: 'accent', label: SETTINGS.accent, ...accent },
      { name: 'domain', label: SETTINGS.domain, ...domain },
      { name: 'apps', label: SETTINGS.apps, ...apps },
    ]}
  />`;
  if (role !== 'OWNER')
    return html`<section class="settings">
      <${Head} isPage title=${title} about=${SETTINGS.onlyOwners} />
      <fieldset class="form" disabled>
        <legend class="unseen">${title}</legend>
        ${fields}
      </fieldset>
    </section>`;
  return html`<section class="settings">
    <${Head} isPage title=${title} />
    <${Form} action=${t(COMMON.save)} onSubmit=${save}>${fields}<//>
    <p class="hint">${t(SETTINGS.plan, { plan })}</p>
    <${Logo} ...${context} />
    <${Ownership} ...${context} />
    <h2>${t(SETTINGS.remove)}</h2>
    <p class="hint">${t(SETTINGS.removeText)}</p>
    <${Act} of=${removal(organization)} />
  </section>`;
}

/** @param {Context} props */
function Logo({ id, organization: { branding, name }, reload }) {
  const options = { path: { id } };
  const send = (/** @type {unknown} */ _, /** @type {FormData} */ body) =>
    api.put(LOGO, { ...options, body });
  const accept = 'image/png, image/jpeg, image/webp';
  const file = { name: 'logo', label: SETTINGS.logoFile, type: 'file', required: true, accept };
  const choose = { label: SETTINGS.replaceLogo, fields: [file], run: send };
  const remove = { label: SETTINGS.removeLogo, run: () => api.delete(LOGO, options) };
  // Its path: the library may be open under another host name.
  const src = branding.logo_url && new URL(branding.logo_url).pathname;
  return html`<h2>${t(SETTINGS.logo)}</h2>
    ${src && html`<p><img class="logo" src=${src} alt=${name} /></p>`}
    <${Act} of=${choose} onDone=${reload} /> ${src && html`<${Act} of=${remove} onDone=${reload} />`}`;
}

/** @param {Context} props */
function Ownership({ organization: { id, transfer }, people, reload }) {
  const path = { id };
  const others = people.filter((one) => one.id !== me.value?.id && one.role !== 'OWNER');
  if (!transfer && others.length === 0) return null;
  const offer = {
    label: SETTINGS.offer,
    text: SETTINGS.transferText,
    fields: [{ name: 'to', label: SETTINGS.to, options: optionsOf(others) }],
    run: ({ to = '' }) => api.post(TRANSFER, { path, body: { user_id: to } }),
  };
  const cancel = { label: SETTINGS.cancelOffer, run: () => api.delete(TRANSFER, { path }) };
  const name = people.find((one) => one.id === transfer?.user_id)?.name ?? '…';
  const time = formatTime(transfer?.expires_at);
  return html`<h2>${t(SETTINGS.transfer)}</h2>
    <p class="hint">${transfer ? t(SETTINGS.offered, { name, time }) : t(SETTINGS.transferText)}</p>
    <${Act} of=${transfer ? cancel : offer} onDone=${reload} />`;
}

/** @param {Schemas['OrganizationDetail']} organization @returns {Action} */
function removal({ id, name }) {
  const onInput = (/** @type {any} */ { currentTarget: field }) =>
    field.setCustomValidity(field.value.trim() === name ? '' : t(SETTINGS.wrongName));
  const typed = { required: true, autocomplete: 'off', dir: 'auto', onInput };
  return {
    label: SETTINGS.remove,
    isDanger: true,
    said: LIST.deleted,
    text: SETTINGS.removeText,
    fields: [
      { name: 'recordings', label: SETTINGS.recordings, defaultChecked: false },
      { name: 'name', label: t(SETTINGS.typeName, { name }), ...typed },
    ],
    run: async (values) => {
      const recordings = values.recordings ? /** @type {const} */ ('delete') : undefined;
      await api.delete(ORGANIZATION, { path: { id }, query: { recordings } });
      navigate('/organizations');
      await loadSession();
    },
  };
}
