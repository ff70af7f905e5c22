import { api } from '../api.js';
import { html } from '../html.js';
import { at, navigate } from '../router.js';
import { formatTime, t } from '../text.js';
import { FAMILIES, ONLY_LOGGED, WEBHOOKS } from '../texts/changes.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { Secret } from './actions.js';
import { WHOLE } from './list.js';

/** @import { Action, FieldOf } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @typedef {import('meeting-recording-client').Schemas['Webhook']} Webhook */

const WEBHOOK = '/webhooks/{id}';

/** The page that lists the webhooks of an organization, or one's own with null. @param {string | null} id */
export const homeOf = (id) => (id ? `/organizations/${id}/webhooks` : '/organizations');

/** @param {Webhook} [one] @returns {FieldOf[]} */
function webhookFields(one) {
  const families = Object.entries(FAMILIES).filter(([family]) => !ONLY_LOGGED.includes(family));
  // Types may have been chosen one by one, with the API.
  const single = (one?.types ?? []).filter((type) => !type.endsWith('*'));
  const options = /** @type {[string, string][]} */ ([
    ['*', t(WEBHOOKS.all)],
    ...families.map(([family, name]) => [`${family}.*`, t(name)]),
    ...single.map((type) => [type, type]),
  ]);
  const url = { type: 'url', required: true, maxlength: 2000, value: one?.url };
  const description = { maxlength: 200, value: one?.description ?? '', dir: 'auto' };
  return [
    { name: 'url', label: WEBHOOKS.url, hint: WEBHOOKS.urlHint, ...url },
    { name: 'description', label: WEBHOOKS.description, ...description },
    { name: 'types', label: WEBHOOKS.types, options, chosen: one?.types ?? ['recording.*'] },
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
  const toggle = () => api.patch(WEBHOOK, { path, body: { enabled: !isEnabled } });
  const rotate = async () =>
    new Secret(t(WEBHOOKS.secret), (await api.post('/webhooks/{id}/rotate-secret', { path })).secret);
  const remove = async () => {
    await api.delete(WEBHOOK, { path });
    navigate(homeOf(one.organization_id), { replaces: true });
  };
  const text = t(WEBHOOKS.deleteText, { url: one.url });
  return [
    { label: isEnabled ? LIST.disable : LIST.enable, run: toggle },
    { label: WEBHOOKS.rotate, text: WEBHOOKS.rotateText, run: rotate },
    { label: COMMON.delete, isDanger: true, text, said: LIST.deleted, run: remove },
  ];
}

/** Changes a webhook that has been read whole: lists show only the host of its URL. @param {Webhook} one @returns {Action} */
export const editWebhook = (one) => ({
  label: LIST.edit,
  fields: webhookFields(one),
  run: (values, data) => {
    const { url, ...body } = webhookBody(values, data);
    // Whoever sends a URL becomes responsible for the webhook.
    const changed = url === one.url ? body : { ...body, url };
    return api.patch(WEBHOOK, { path: { id: one.id }, body: changed });
  },
});

/** The webhooks of an organization, or one's own with null. @type {Resource<'/webhooks', { id: string | null }>} */
export const webhooks = {
  path: '/webhooks',
  options: ({ id }) => ({ query: { ...WHOLE, organization_id: id ?? undefined } }),
  empty: WEBHOOKS.empty,
  about: WEBHOOKS.about,
  live: ['webhook.', 'member.'],
  nameOf: (one) => one.description ?? one.url,
  columns: () => [
    [
      WEBHOOKS.url,
      ({ id, url, description }) =>
        html`<a class="name" href=${at(`/webhooks/${id}`)}><bdi>${description ?? url}</bdi></a>
          ${description && html`<bdi class="sub">${url}</bdi>`}`,
    ],
    [WEBHOOKS.types, ({ types }) => types.join(', ')],
    [LIST.status, webhookStatus],
  ],
  create: ({ id }) => ({
    label: WEBHOOKS.create,
    fields: webhookFields(),
    run: async (values, data) => {
      const body = { ...webhookBody(values, data), organization_id: id };
      return new Secret(t(WEBHOOKS.secret), (await api.post('/webhooks', { body })).secret);
    },
  }),
  actions: webhookActions,
};
