import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, navigate } from '../router.js';
import { loadSession, me, organizations } from '../session.js';
import { formatNumber, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { LIST, MANAGE, ROLE_NAMES } from '../texts/manage.js';
import { nameField, Performed } from './actions.js';
import { AuditLog } from './audit.js';
import { allOf, List } from './list.js';
import { Offer } from './organization-view.js';
import { webhooks } from './webhooks.js';
import { Quotas } from './quotas.js';

/** Of as many organizations it is looked up whether they are offered; the page of each says it too. */
const MAX_LOOKED_UP = 20;

/** @type {import('./list.js').Resource<import('meeting-recording-client').Schemas['Organization'], object>} */
const own = {
  empty: MANAGE.noOrganizations,
  live: [],
  load: () => allOf({ data: organizations.value, isLoading: false, reload: () => void loadSession() }),
  columns: () => [
    [
      LIST.name,
      ({ id, name }) => html`<a class="name" href=${at(`/organizations/${id}`)}><bdi>${name}</bdi></a>`,
    ],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [MANAGE.members, (one) => formatNumber(one.member_count)],
  ],
  create: () => ({
    label: MANAGE.newOrganization,
    fields: [nameField()],
    run: async ({ name = '' }) => {
      const { id } = await api.post('/organizations', { body: { name } });
      await loadSession();
      navigate(`/organizations/${id}`);
    },
  }),
};

export function View() {
  const ids = organizations.value.filter(({ role }) => role !== 'OWNER').map(({ id }) => id);
  const offered = useData(
    (signal) =>
      Promise.all(
        ids.slice(0, MAX_LOOKED_UP).map((id) => api.get('/organizations/{id}', { path: { id }, signal })),
      ),
    [ids.join()],
  );
  useEvents(['ownership_transfer.'], offered.reload);
  return html`${offered.data?.map((one) => html`<${Offer} key=${one.id} organization=${one} onDone=${offered.reload} />`)}
    <div class="stack">
      <${List} isPage of=${own} title=${t(FRAME.organizations)} context=${{}} />
      ${me.value && html`<${Quotas} title=${t(MANAGE.yourQuotas)} quotas=${me.value.quotas} />`}
      <${List} of=${webhooks} title=${t(MANAGE.yourWebhooks)} context=${{ id: null }} />
      <${AuditLog} id=${null} people=${[]} title=${t(MANAGE.yourLog)} />
    </div>
    <${Performed} />`;
}
