// Service accounts with their keys, and webhooks.
import { api } from '../api.js';
import { useData } from '../data.js';
import { html } from '../html.js';
import { at, setQuery } from '../router.js';
import { formatDate, formatTime, t } from '../text.js';
import { FAMILIES, ONLY_LOGGED, WEBHOOKS } from '../texts/changes.js';
import { COMMON } from '../texts/common.js';
import { LIST, MEMBERS, ROLE_NAMES } from '../texts/manage.js';
import { ACCOUNTS } from '../texts/settings.js';
import { boxes, choice, input, nameField, Secret } from './actions.js';
import { allOf } from './list.js';
import { optionsOf, outcome, roleField } from './people.js';
import { MANAGED } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Action } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {Schemas['ServiceAccount']} Account */
/** @typedef {Schemas['Webhook']} Webhook */

const ACCOUNT = '/organizations/{id}/service-accounts/{accountId}';
const KEY = '/organizations/{id}/service-accounts/{accountId}/keys/{keyId}';
const DAY_SECONDS = 86_400;

/** What a new key may do, and for how long. */
function keyFields() {
  const scopes = /** @type {const} */ ({ full: t(ACCOUNTS.full), 'read-only': t(ACCOUNTS.readOnly) });
  const days = ['30', '90', '365'].map((n) => /** @type {const} */ ([n, t(ACCOUNTS.days, { n })]));
  return [
    choice('scope', ACCOUNTS.access, Object.entries(scopes)),
    choice('days', ACCOUNTS.expiry, [...days, ['', t(LIST.never)]], '365'),
  ];
}

/** @param {Record<string, string>} values */
const keyBody = ({ name = '', scope = '', days }) => ({
  name,
  scopes: [scope],
  expires_in: Number(days) * DAY_SECONDS || undefined,
});

const rolesOf = (/** @type {Context} */ { role }) => MANAGED[role].filter((one) => one !== 'OWNER');

/** @type {Resource<Account, Context>} */
export const accounts = {
  empty: ACCOUNTS.empty,
  about: ACCOUNTS.about,
  live: ['service_account.', 'user.', 'member.'],
  load: ({ id, role }) =>
    allOf(
      useData(
        (signal) => api.get('/organizations/{id}/service-accounts', { path: { id }, signal }),
        [id, role],
      ),
    ),
  nameOf: ({ name }) => name,
  columns: () => [
    [LIST.name, ({ name }) => html`<bdi class="name">${name}</bdi>`],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [LIST.created, (one) => formatDate(one.created_at)],
  ],
  create: (context) => ({
    label: ACCOUNTS.create,
    fields: [nameField(undefined, 100), roleField(rolesOf(context)), ...keyFields()],
    run: async (values) => {
      const body = { ...keyBody(values), role: /** @type {Account['role']} */ (values.role) };
      const made = await api.post('/organizations/{id}/service-accounts', { path: { id: context.id }, body });
      return new Secret(made.name, made.api_key.key);
    },
  }),
  actions(one, context) {
    const path = { id: context.id, accountId: one.id };
    const open = { label: ACCOUNTS.keys, said: ACCOUNTS.keys, run: () => setQuery({ account: one.id }) };
    if (!MANAGED[context.role].includes(one.role)) return [open];
    return [
      open,
      {
        label: LIST.edit,
        fields: [nameField(one.name, 100), roleField(rolesOf(context), one.role)],
        run: async ({ name, role }) => {
          const body = { name, role: /** @type {Account['role']} */ (role) };
          return outcome(t(LIST.saved), await api.patch(ACCOUNT, { path, body }));
        },
      },
      {
        label: COMMON.delete,
        isDanger: true,
        text: ACCOUNTS.deleteText,
        fields: [{ name: 'to', label: MEMBERS.newOwner, options: optionsOf(context.people, MEMBERS.me) }],
        run: async ({ to }) => {
          const removed = await api.delete(ACCOUNT, { path, query: { new_owner: to || undefined } });
          return outcome(t(MEMBERS.removed, { name: one.name }), removed);
        },
      },
    ];
  },
};

/** @type {Resource<Schemas['ApiKey'], { path: { id: string, accountId: string }, mayChange: boolean }>} */
export const keys = {
  empty: ACCOUNTS.noKeys,
  live: ['api_key.', 'service_account.'],
  load: ({ path }) =>
    allOf(useData(async (signal) => (await api.get(ACCOUNT, { path, signal })).api_keys, [path.accountId])),
  nameOf: ({ name }) => name,
  columns: () => [
    [
      LIST.name,
      ({ name, prefix }) => html`<bdi class="name">${name}</bdi><code class="sub">${prefix}…</code>`,
    ],
    [ACCOUNTS.access, ({ scopes }) => scopes?.join(', ') ?? t(ACCOUNTS.full)],
    [ACCOUNTS.used, (one) => formatTime(one.last_used_at) || t(LIST.never)],
    [
      LIST.expires,
      (one) => (one.is_revoked ? t(ACCOUNTS.revoked) : formatDate(one.expires_at) || t(LIST.never)),
    ],
  ],
  create: ({ path, mayChange }) =>
    mayChange && {
      label: ACCOUNTS.newKey,
      fields: [nameField(undefined, 100), ...keyFields()],
      run: async (values) => {
        const made = await api.post(`${ACCOUNT}/keys`, { path, body: keyBody(values) });
        return new Secret(made.name, made.key);
      },
    },
  actions(one, { path: account, mayChange }) {
    if (!mayChange || one.is_revoked) return [];
    const path = { ...account, keyId: one.id };
    const rotate = async () =>
      new Secret(
        one.name,
        (
          await api.post('/organizations/{id}/service-accounts/{accountId}/keys/{keyId}/rotate', {
            path,
            body: {},
          })
        ).key,
      );
    const revoke = () => api.delete(KEY, { path });
    return [
      { label: ACCOUNTS.rotate, text: ACCOUNTS.rotateText, run: rotate },
      {
        label: ACCOUNTS.revoke,
        isDanger: true,
        text: ACCOUNTS.revokeText,
        said: ACCOUNTS.revoked,
        run: revoke,
      },
    ];
  },
};

/** @param {Webhook} [one] */
function webhookFields(one) {
  const families = Object.entries(FAMILIES).filter(([family]) => !ONLY_LOGGED.includes(family));
  // Types may have been chosen one by one, with the API.
  const single = (one?.types ?? []).filter((type) => !type.endsWith('*'));
  const named = [
    ...families.map(([family, name]) => [`${family}.*`, t(name)]),
    ...single.map((type) => [type, type]),
  ];
  const options = /** @type {[string, string][]} */ ([['*', t(WEBHOOKS.all)], ...named]);
  const url = { type: 'url', required: true, maxlength: 2000, value: one?.url };
  return [
    input('url', WEBHOOKS.url, { ...url, hint: WEBHOOKS.urlHint }),
    input('description', WEBHOOKS.description, {
      maxlength: 200,
      value: one?.description ?? '',
      dir: 'auto',
    }),
    boxes('types', WEBHOOKS.types, options, one?.types ?? ['recording.*']),
  ];
}

/** @param {Record<string, string>} values @param {FormData} data */
const webhookBody = ({ url = '', description }, data) => ({
  url,
  description: description || null,
  types: data.getAll('types').map(String),
});

/** @param {Webhook} one */
export function webhookStatus({ status, disabled_reason: reason, failing_since: since }) {
  if (status === 'disabled') return t(WEBHOOKS[/** @type {'user'} */ (reason)] ?? WEBHOOKS.user);
  return since ? t(WEBHOOKS.failing, { time: formatTime(since) }) : t(WEBHOOKS.enabled);
}

/** What can be done with a webhook, as the API shows it in lists or whole. @param {Webhook} one @returns {Action[]} */
export function webhookActions(one) {
  const path = { id: one.id };
  const isEnabled = one.status === 'enabled';
  const rotate = async () =>
    new Secret(t(WEBHOOKS.secret), (await api.post('/webhooks/{id}/rotate-secret', { path })).secret);
  return [
    { label: WEBHOOKS.test, said: WEBHOOKS.testSent, run: () => api.post('/webhooks/{id}/test', { path }) },
    {
      label: isEnabled ? LIST.disable : LIST.enable,
      run: () => api.patch('/webhooks/{id}', { path, body: { enabled: !isEnabled } }),
    },
    { label: WEBHOOKS.rotate, text: WEBHOOKS.rotateText, run: rotate },
    {
      label: COMMON.delete,
      isDanger: true,
      text: t(WEBHOOKS.deleteText, { url: one.url }),
      said: LIST.deleted,
      run: () => api.delete('/webhooks/{id}', { path }),
    },
  ];
}

/** Changes a webhook that has been read whole: lists show only the host of its URL. @param {Webhook} one @returns {Action} */
export const editWebhook = (one) => ({
  label: LIST.edit,
  fields: webhookFields(one),
  run: (values, data) => {
    const { url, ...body } = webhookBody(values, data);
    // Whoever sends a URL becomes responsible for the webhook.
    return api.patch('/webhooks/{id}', {
      path: { id: one.id },
      body: url === one.url ? body : { ...body, url },
    });
  },
});

/** The webhooks of an organization, or one's own with null. @type {Resource<Webhook, { id: string | null }>} */
export const webhooks = {
  empty: WEBHOOKS.empty,
  about: WEBHOOKS.about,
  live: ['webhook.', 'member.'],
  load: ({ id }) =>
    allOf(
      useData(
        (signal) => api.get('/webhooks', { query: { organization_id: id ?? undefined }, signal }),
        [id],
      ),
    ),
  nameOf: (one) => one.description ?? one.url,
  columns: () => [
    [
      WEBHOOKS.url,
      ({ id, url, description }) =>
        html`<a class="name" href=${at(`/webhooks/${id}`)}><bdi>${description ?? url}</bdi></a
          >${description && html`<bdi class="sub">${url}</bdi>`}`,
    ],
    [WEBHOOKS.types, ({ types }) => types.join(', ')],
    [LIST.status, webhookStatus],
  ],
  create: ({ id }) => ({
    label: WEBHOOKS.create,
    fields: webhookFields(),
    run: async (values, data) => {
      const made = await api.post('/webhooks', {
        body: { ...webhookBody(values, data), organization_id: id },
      });
      return new Secret(t(WEBHOOKS.secret), made.secret);
    },
  }),
  actions: webhookActions,
};
