import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { navigate, route, setQuery } from '../router.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { FAMILIES, ONLY_LOGGED, WEBHOOKS } from '../texts/changes.js';
import { COMMON } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Filter } from '../ui/filters.js';
import { Loaded } from '../ui/parts.js';
import { Act, Secret } from './actions.js';
import { typeText } from './audit.js';
import { List, Named, openOf, usePolling, WHOLE } from './list.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Action, FieldOf } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {Schemas['Webhook']} Webhook */
/** @typedef {Schemas['WebhookDelivery']} Delivery */

const WEBHOOK = '/webhooks/{id}';

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
function webhookStatus({ status, disabled_reason: reason, failing_since: since }) {
  if (status === 'disabled') return t(WEBHOOKS[/** @type {'user'} */ (reason)] ?? WEBHOOKS.user);
  return since ? t(WEBHOOKS.failing, { time: formatTime(since) }) : t(LIST.active);
}

/** What can be done with a webhook, as the API shows it in lists or whole. @param {Webhook} one @returns {Action[]} */
function webhookActions(one) {
  const path = { id: one.id };
  const isEnabled = one.status === 'enabled';
  const toggle = () => api.patch(WEBHOOK, { path, body: { enabled: !isEnabled } });
  const rotate = async () =>
    new Secret(t(WEBHOOKS.secret), (await api.post('/webhooks/{id}/rotate-secret', { path })).secret);
  const remove = async () => {
    await api.delete(WEBHOOK, { path });
    // Where it was opened, the others are shown.
    navigate(route.peek().path, { replaces: true });
  };
  const text = t(WEBHOOKS.deleteText, { url: one.url });
  return [
    { label: isEnabled ? LIST.disable : LIST.enable, run: toggle },
    { label: WEBHOOKS.rotate, text: WEBHOOKS.rotateText, run: rotate },
    { label: COMMON.delete, isDanger: true, text, said: LIST.deleted, run: remove },
  ];
}

/** Changes a webhook that has been read whole: lists show only the host of its URL. @param {Webhook} one @returns {Action} */
const editWebhook = (one) => ({
  label: LIST.edit,
  fields: webhookFields(one),
  run: (values, data) => {
    const { url, ...body } = webhookBody(values, data);
    // Sending a URL makes the sender responsible for the webhook.
    const changed = url === one.url ? body : { ...body, url };
    return api.patch(WEBHOOK, { path: { id: one.id }, body: changed });
  },
});

/** @type {Resource<'/webhooks', Context>} */
export const webhooks = {
  path: '/webhooks',
  query: ({ id }) => ({ ...WHOLE, organization_id: id }),
  One: OneWebhook,
  about: WEBHOOKS.about,
  live: ['webhook.', 'member.'],
  nameOf: (one) => one.description ?? one.url,
  columns: () => [
    [
      WEBHOOKS.url,
      ({ id, url, description }) =>
        Named({ name: description ?? url, sub: description && url, href: openOf(id) }),
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

const DELIVERIES = '/webhooks/{id}/deliveries';
const DELIVERY = `${DELIVERIES}/{deliveryId}`;
const STATUSES = /** @type {const} */ (['pending', 'delivered', 'failed']);

/** @param {Delivery} one */
function deliveryText({ status, response_status: code, error, next_attempt_at: next }) {
  const time = next && t(WEBHOOKS.next, { time: formatTime(next) });
  return [t(WEBHOOKS[status]), error ?? code, time].filter(Boolean).join(' · ');
}

/** @param {Delivery} one */
const isPending = ({ status }) => status === 'pending';

/** @param {Delivery} one */
const replay = ({ id: deliveryId, webhook_id: id }) => ({
  label: WEBHOOKS.replay,
  said: WEBHOOKS.replayed,
  run: () => api.post(`${DELIVERY}/replay`, { path: { id, deliveryId } }),
});

/** @type {Resource<typeof DELIVERIES, { id: string }>} */
const deliveries = {
  path: DELIVERIES,
  query: () => ({ status: route.value.query.get('status') || undefined }),
  empty: WEBHOOKS.noDeliveries,
  live: [],
  isPending,
  nameOf: ({ type }) => typeText(type),
  columns: () => [
    [
      WEBHOOKS.event,
      ({ id, type }) => {
        const open = () => setQuery({ delivery: id });
        return html`<button type="button" class="link" onClick=${open}>${typeText(type)}</button>`;
      },
    ],
    [LIST.created, (one) => formatTime(one.created_at)],
    [LIST.status, deliveryText],
  ],
  create: ({ id }) => ({
    label: WEBHOOKS.test,
    said: WEBHOOKS.testSent,
    run: () => api.post('/webhooks/{id}/test', { path: { id } }),
  }),
  actions: (one) => [replay(one)],
};

/** A webhook with its deliveries. @param {Context & { openedId: string }} props */
function OneWebhook({ openedId: id, people }) {
  const loaded = useData((signal) => api.get('/webhooks/{id}', { path: { id }, signal }), []);
  useEvents(['webhook.'], loaded.reload);
  const { reload } = loaded;
  const shown = (/** @type {Webhook} */ webhook) =>
    html`<${Shown} webhook=${webhook} people=${people} reload=${reload} />`;
  return html`<${Loaded} of=${loaded}>${shown}<//>`;
}

/** @param {{ webhook: Webhook, people: Context['people'], reload: () => void }} props */
function Shown({ webhook, people, reload }) {
  const { id, url, types, description, created_by: creator } = webhook;
  const responsible = people.find((one) => one.id === creator);
  const statuses = [['', t(WEBHOOKS.any)], ...STATUSES.map((one) => [one, t(WEBHOOKS[one])])];
  const actions = [editWebhook(webhook), ...webhookActions(webhook)];
  const opened = route.value.query.get('delivery');
  return html`<section>
    <${PageTitle} title=${description ?? new URL(url).host} />
    <p class="facts">
      <bdi>${url}</bdi><span>${types.join(', ')}</span><span>${webhookStatus(webhook)}</span>
      ${responsible && html`<span>${t(WEBHOOKS.responsible, { name: responsible.name })}</span>`}
    </p>
    <div class="actions">${actions.map((one) => html`<${Act} of=${one} onDone=${reload} />`)}</div>
    <${List} of=${deliveries} context=${{ id }} title=${t(WEBHOOKS.deliveries)}>
      <div class="filters"><${Filter} name="status" label=${t(LIST.status)} options=${statuses} /></div>
    <//>
    ${opened && html`<${Details} key=${opened} id=${id} deliveryId=${opened} />`}
  </section>`;
}

/** A delivery with its attempts. @param {{ id: string, deliveryId: string }} props */
function Details({ id, deliveryId }) {
  const path = { id, deliveryId };
  const loaded = useData((signal) => api.get(DELIVERY, { path, signal }), [deliveryId]);
  usePolling(loaded.data?.status === 'pending', loaded.reload);
  const shown = (/** @type {Schemas['WebhookDeliveryWithAttempts']} */ one) =>
    html`<p role="status">${deliveryText(one)}</p>
      ${one.attempts.map((attempt, index) => html`<${Attempt} key=${attempt.id} isOpen=${index === 0} ...${attempt} />`)}
      <div class="dialog-actions"><${Act} of=${replay(one)} onDone=${loaded.reload} /></div>`;
  const title = loaded.data ? typeText(loaded.data.type) : t(WEBHOOKS.event);
  return html`<${Dialog} wide title=${title} onClose=${() => setQuery({ delivery: '' })}>
    <${Loaded} of=${loaded}>${shown}<//>
  <//>`;
}

/** @param {Schemas['WebhookAttempt'] & { isOpen: boolean }} props */
function Attempt({ isOpen, at: time, duration_ms: ms, error, response_status: code, ...attempt }) {
  const sent = attempt.body && JSON.stringify(JSON.parse(attempt.body), null, 2);
  return html`<details class="attempt" open=${isOpen}>
    <summary>${formatTime(time)} · ${error ?? code} · ${ms} ms</summary>
    <h3>${t(WEBHOOKS.sent)}</h3>
    <pre tabindex="0" dir="auto">${sent || t(WEBHOOKS.nothing)}</pre>
    <h3>${t(WEBHOOKS.reply)}</h3>
    <pre tabindex="0" dir="auto">${attempt.response_body || t(WEBHOOKS.nothing)}</pre>
  </details>`;
}
