import { api, isGone } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, route, setQuery } from '../router.js';
import { nameOfOrganization } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { WEBHOOKS } from '../texts/changes.js';
import { FRAME } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Filter } from '../ui/filter.js';
import { Loaded } from '../ui/parts.js';
import { Act, Performed } from './actions.js';
import { typeText } from './audit.js';
import { List, usePolling } from './list.js';
import { usePeople } from './people.js';
import { editWebhook, homeOf, webhookActions, webhookStatus } from './webhooks.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['WebhookDelivery']} Delivery */

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

/** @type {import('./list.js').Resource<typeof DELIVERIES, { id: string }>} */
const deliveries = {
  path: DELIVERIES,
  options: ({ id }) => ({ path: { id }, query: { status: route.value.query.get('status') || undefined } }),
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

/** @param {{ params: readonly string[] }} props */
export function View({ params: [id = ''] }) {
  const loaded = useData((signal) => api.get('/webhooks/{id}', { path: { id }, signal }), [id]);
  useEvents(['webhook.'], loaded.reload);
  if (isGone(loaded.error)) return html`<${PageTitle} title=${t(WEBHOOKS.notFound)} />`;
  const shown = (/** @type {Schemas['Webhook']} */ webhook) =>
    html`<${Shown} webhook=${webhook} reload=${loaded.reload} />`;
  return html`<${Loaded} of=${loaded}>${shown}<//><${Performed} />`;
}

/** @param {{ webhook: Schemas['Webhook'], reload: () => void }} props */
function Shown({ webhook, reload }) {
  const { id, organization_id: organizationId, url, types, description, created_by: creator } = webhook;
  const responsible = usePeople(organizationId).find((one) => one.id === creator)?.name;
  const facts = /** @type {const} */ ([
    [WEBHOOKS.url, url],
    [WEBHOOKS.types, types.join(', ')],
    [LIST.status, webhookStatus(webhook)],
    [WEBHOOKS.responsible, responsible ?? '–'],
  ]);
  const statuses = [['', t(WEBHOOKS.any)], ...STATUSES.map((one) => [one, t(WEBHOOKS[one])])];
  const actions = [editWebhook(webhook), ...webhookActions(webhook)];
  const opened = route.value.query.get('delivery');
  return html`<p class="crumbs">
      <a href=${at(homeOf(organizationId))}>
        <bdi>${nameOfOrganization(organizationId) ?? t(FRAME.organizations)}</bdi>
      </a>
    </p>
    <${PageTitle} title=${description ?? new URL(url).host} />
    <dl class="facts-list">
      ${facts.map(
        ([label, value]) =>
          html`<dt>${t(label)}</dt>
            <dd dir="auto">${value}</dd>`,
      )}
    </dl>
    <div class="actions">${actions.map((one) => html`<${Act} of=${one} onDone=${reload} />`)}</div>
    <${List} of=${deliveries} context=${{ id }} title=${t(WEBHOOKS.deliveries)}>
      <div class="filters"><${Filter} name="status" label=${t(LIST.status)} options=${statuses} /></div>
    <//>
    ${opened && html`<${Details} key=${opened} id=${id} deliveryId=${opened} />`}`;
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
