import { api } from '../api.js';
import { html } from '../html.js';
import { at } from '../router.js';
import { formatTime, t } from '../text.js';
import { FAMILIES, ONLY_LOGGED, WEBHOOKS } from '../texts/changes.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { boxes, input, Secret } from './actions.js';
import { useAll } from './list.js';

/** @import { Action } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @typedef {import('meeting-recording-client').Schemas['Webhook']} Webhook */

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
    useAll((signal) => api.get('/webhooks', { query: { organization_id: id ?? undefined }, signal }), [id]),
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
