// Service accounts and their keys.
import { api } from '../api.js';
import { html } from '../html.js';
import { setQuery } from '../router.js';
import { formatDate, formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST, MEMBERS, ROLE_NAMES } from '../texts/manage.js';
import { ACCOUNTS } from '../texts/settings.js';
import { choice, nameField, Secret } from './actions.js';
import { useAll } from './list.js';
import { optionsOf, outcome, roleField } from './people.js';
import { MANAGED } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {Schemas['ServiceAccount']} Account */

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
    useAll((signal) => api.get('/organizations/{id}/service-accounts', { path: { id }, signal }), [id, role]),
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
    const open = {
      label: ACCOUNTS.keys,
      said: /** @type {const} */ (''),
      run: () => setQuery({ account: one.id }),
    };
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
    useAll(async (signal) => (await api.get(ACCOUNT, { path, signal })).api_keys, [path.accountId]),
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
