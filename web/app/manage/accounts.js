// Service accounts and their keys.
import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { formatDate, formatTime, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { LIST, ROLE_NAMES } from '../texts/manage.js';
import { ACCOUNTS } from '../texts/settings.js';
import { Loaded } from '../ui/parts.js';
import { nameField, Secret } from './actions.js';
import { Named, openOf, Rows, WHOLE } from './list.js';
import { outcome, roleField } from './people.js';
import { MANAGED } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { FieldOf } from './actions.js' */
/** @import { Resource, TableOf } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {Schemas['ServiceAccount']} Account */

const ACCOUNTS_PATH = '/organizations/{id}/service-accounts';
const ACCOUNT = `${ACCOUNTS_PATH}/{accountId}`;
const KEY = `${ACCOUNT}/keys/{keyId}`;
const DAY_SECONDS = 86_400;

/** What a new key may do, and for how long. @returns {FieldOf[]} */
function keyFields() {
  const scopes = { full: t(ACCOUNTS.full), 'read-only': t(ACCOUNTS.readOnly) };
  const expiries = ['30', '90', '365'].map((n) => /** @type {const} */ ([n, t(ACCOUNTS.days, { n })]));
  const options = /** @type {const} */ ([...expiries, ['', t(LIST.never)]]);
  return [
    { name: 'scope', label: ACCOUNTS.access, options: Object.entries(scopes) },
    { name: 'days', label: ACCOUNTS.expiry, options, value: '365' },
  ];
}

/** @param {Record<string, string>} values */
const keyBody = ({ name = '', scope = '', days }) => ({
  name,
  scopes: [scope],
  expires_in: Number(days) * DAY_SECONDS || undefined,
});

/** @param {Context} context @param {Account} [one] */
const accountFields = ({ role }, one) => [
  nameField(one?.name, 100),
  roleField(
    MANAGED[role].filter((given) => given !== 'OWNER'),
    one?.role,
  ),
];

/** @param {Record<string, string>} values */
const accountBody = ({ name = '', role }) => ({ name, role: /** @type {Account['role']} */ (role) });

/** @type {Resource<typeof ACCOUNTS_PATH, Context>} */
export const accounts = {
  path: ACCOUNTS_PATH,
  query: () => WHOLE,
  One: Keys,
  about: ACCOUNTS.about,
  live: ['service_account.', 'user.', 'member.'],
  nameOf: ({ name }) => name,
  columns: () => [
    [LIST.name, ({ id, name }) => Named({ name, href: openOf(id) })],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [LIST.created, (one) => formatDate(one.created_at)],
  ],
  create: (context) => ({
    label: ACCOUNTS.create,
    fields: [...accountFields(context), ...keyFields()],
    run: async (values) => {
      const body = { ...keyBody(values), ...accountBody(values) };
      const made = await api.post(ACCOUNTS_PATH, { path: { id: context.id }, body });
      return new Secret(made.name, made.api_key.key);
    },
  }),
  actions(one, context) {
    if (!MANAGED[context.role].includes(one.role)) return [];
    const path = { id: context.id, accountId: one.id };
    const edit = async (/** @type {Record<string, string>} */ values) =>
      outcome(t(LIST.saved), await api.patch(ACCOUNT, { path, body: accountBody(values) }));
    const remove = async () => outcome(t(LIST.deleted), await api.delete(ACCOUNT, { path }));
    return [
      { label: LIST.edit, fields: accountFields(context, one), run: edit },
      { label: COMMON.delete, isDanger: true, text: ACCOUNTS.deleteText, run: remove },
    ];
  },
};

/** @type {TableOf<Schemas['ApiKey'], { path: { id: string, accountId: string }, mayChange: boolean }>} */
const keys = {
  nameOf: ({ name }) => name,
  columns: () => [
    [LIST.name, ({ name, prefix }) => Named({ name, sub: `${prefix}…` })],
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
      new Secret(one.name, (await api.post(`${KEY}/rotate`, { path, body: {} })).key);
    const revoke = () => api.delete(KEY, { path });
    const revocation = { text: ACCOUNTS.revokeText, said: ACCOUNTS.revoked, isDanger: true };
    return [
      { label: ACCOUNTS.rotate, text: ACCOUNTS.rotateText, run: rotate },
      { label: ACCOUNTS.revoke, ...revocation, run: revoke },
    ];
  },
};

/** The keys of an account. @param {Context & { openedId: string }} props */
function Keys({ id, openedId, role }) {
  const path = { id, accountId: openedId };
  const loaded = useData((signal) => api.get(ACCOUNT, { path, signal }), []);
  useEvents(['api_key.', 'service_account.'], loaded.reload);
  const shown = (/** @type {Schemas['ServiceAccountDetail']} */ { name, role: its, api_keys: items }) => {
    const rows = { ...loaded, items, error: undefined, hasMore: false, more: loaded.reload };
    const context = { path, mayChange: MANAGED[role].includes(its) };
    const title = t(ACCOUNTS.keysOf, { name });
    return html`<${Rows} isPage of=${keys} rows=${rows} title=${title} context=${context} />`;
  };
  return html`<${Loaded} of=${loaded}>${shown}<//>`;
}
