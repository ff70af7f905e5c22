import { useEffect, useState } from 'preact/hooks';
import { api, isGone } from '../api.js';
import { useData, usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, navigate, route, setQuery } from '../router.js';
import { nameOfOrganization } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { WEBHOOKS } from '../texts/changes.js';
import { FRAME } from '../texts/common.js';
import { LIST } from '../texts/manage.js';
import { Dialog } from '../ui/dialog.js';
import { Loaded } from '../ui/parts.js';
import { Act, Performed } from './actions.js';
import { Filter, typeText } from './audit.js';
import { List } from './list.js';
import { usePeople } from './people.js';
import { editWebhook, webhookActions, webhookStatus } from './webhooks.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @typedef {Schemas['WebhookDelivery']} Delivery */

/** How often it is looked whether what is pending has been sent: there are no events for that. */
const POLL_MS = 2_000;

/** @param {boolean} isPending @param {() => void} reload */
function usePolling(isPending, reload) {
  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setInterval(() => document.hidden || reload(), POLL_MS);
    return () => clearInterval(timer);
  }, [isPending]);
}

/** @param {Delivery} one */
function deliveryText({ status, response_status: code, error, next_attempt_at: next }) {
  const time = next && t(WEBHOOKS.next, { time: formatTime(next) });
  return [t(WEBHOOKS[status]), error ?? code, time].filter(Boolean).join(' · ');
}

/** @param {Delivery} one */
const replay = ({ id: deliveryId, webhook_id: id }) => ({
  label: WEBHOOKS.replay,
  said: WEBHOOKS.replayed,
  run: () => api.post('/webhooks/{id}/deliveries/{deliveryId}/replay', { path: { id, deliveryId } }),
});

/** `round`: loads anew once it has changed. @type {import('./list.js').Resource<Delivery, { id: string, round: number }>} */
const deliveries = {
  empty: WEBHOOKS.noDeliveries,
  live: [],
  load({ id, round }) {
    const query = { status: route.value.query.get('status') || undefined };
    const list = usePages('/webhooks/{id}/deliveries', { path: { id }, query }, [id, query.status, round]);
    usePolling(
      list.items.some(({ status }) => status === 'pending'),
      list.reload,
    );
    return list;
  },
  nameOf: ({ type }) => typeText(type),
  columns: () => [
    [
      WEBHOOKS.event,
      ({ id, type }) =>
        html`<button type="button" class="link" onClick=${() => setQuery({ delivery: id })}>
          ${typeText(type)}
        </button>`,
    ],
    [LIST.created, (one) => formatTime(one.created_at)],
    [LIST.status, deliveryText],
  ],
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
  const home = organizationId ? `/organizations/${organizationId}/webhooks` : '/organizations';
  const facts = /** @type {const} */ ([
    [WEBHOOKS.url, url],
    [WEBHOOKS.types, types.join(', ')],
    [LIST.status, webhookStatus(webhook)],
    [WEBHOOKS.responsible, responsible],
  ]);
  const statuses = [
    ['', t(WEBHOOKS.any)],
    ...['pending', 'delivered', 'failed'].map((one) => [one, t(WEBHOOKS[/** @type {'failed'} */ (one)])]),
  ];
  const opened = route.value.query.get('delivery');
  const [round, setRound] = useState(0);
  const onDone = (/** @type {boolean | undefined} */ isDeletion) => {
    if (isDeletion) return navigate(home);
    reload();
    // A test is in the list at once.
    setRound((before) => before + 1);
  };
  return html`<p class="crumbs">
      <a href=${at(home)}><bdi>${nameOfOrganization(organizationId) ?? t(FRAME.organizations)}</bdi></a>
    </p>
    <${PageTitle} title=${description ?? new URL(url).host} />
    <dl class="facts-list">
      ${facts.map(
        ([label, value]) =>
          value &&
          html`<div>
            <dt>${t(label)}</dt>
            <dd dir="auto">${value}</dd>
          </div>`,
      )}
    </dl>
    <div class="actions">
      ${[editWebhook(webhook), ...webhookActions(webhook)].map(
        (one) => html`<${Act} of=${one} onDone=${() => onDone(one.isDanger)} />`,
      )}
    </div>
    <${List} of=${deliveries} context=${{ id, round }} title=${t(WEBHOOKS.deliveries)}>
      <div class="filters"><${Filter} name="status" label=${t(LIST.status)} options=${statuses} /></div>
    <//>
    ${opened && html`<${Details} key=${opened} id=${id} deliveryId=${opened} />`}`;
}

/** A delivery with its attempts. @param {{ id: string, deliveryId: string }} props */
function Details({ id, deliveryId }) {
  const path = { id, deliveryId };
  const loaded = useData(
    (signal) => api.get('/webhooks/{id}/deliveries/{deliveryId}', { path, signal }),
    [deliveryId],
  );
  usePolling(loaded.data?.status === 'pending', loaded.reload);
  const shown = (/** @type {Schemas['WebhookDeliveryWithAttempts']} */ one) =>
    html`<p role="status">${deliveryText(one)}</p>
      ${one.attempts.map((attempted, index) => html`<${Attempt} key=${attempted.id} of=${attempted} isOpen=${index === 0} />`)}
      <div class="dialog-actions"><${Act} of=${replay(one)} onDone=${loaded.reload} /></div>`;
  const title = loaded.data ? typeText(loaded.data.type) : t(WEBHOOKS.event);
  return html`<${Dialog} wide title=${title} onClose=${() => setQuery({ delivery: '' })}
    ><${Loaded} of=${loaded}>${shown}<//><//
  >`;
}

/** @param {{ of: Schemas['WebhookAttempt'], isOpen: boolean }} props */
const Attempt = ({
  of: { at: time, duration_ms: ms, error, response_status: code, body, response_body: reply },
  isOpen,
}) =>
  html`<details class="attempt" open=${isOpen}>
    <summary>${formatTime(time)} · ${error ?? code} · ${ms} ms</summary>
    <h3>${t(WEBHOOKS.sent)}</h3>
    <pre tabindex="0" dir="auto">
${body ? JSON.stringify(JSON.parse(body), null, 2) : t(WEBHOOKS.nothing)}</pre>
    <h3>${t(WEBHOOKS.reply)}</h3>
    <pre tabindex="0" dir="auto">${reply || t(WEBHOOKS.nothing)}</pre>
  </details>`;
