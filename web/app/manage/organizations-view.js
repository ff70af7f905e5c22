import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, navigate } from '../router.js';
import { loadSession, me, organizations } from '../session.js';
import { formatNumber, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { LIST, MANAGE, ROLE_NAMES, SECTIONS } from '../texts/manage.js';
import { nameField, Performed } from './actions.js';
import { List, Named } from './list.js';
import { Offer } from './organization-view.js';
import { Quotas } from './quotas.js';

/** Of as many organizations it is looked up whether they are offered; the page of each says it too. */
const MAX_LOOKED_UP = 20;

/** @type {import('./list.js').Resource<'/organizations', object>} */
const own = {
  path: '/organizations',
  live: ['organization.', 'member.'],
  columns: () => [
    [LIST.name, ({ id, name }) => Named({ name, href: at(`/organizations/${id}`) })],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [SECTIONS.members, (one) => formatNumber(one.member_count)],
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
  const others = organizations.value.filter(({ role }) => role !== 'OWNER').slice(0, MAX_LOOKED_UP);
  const ids = others.map(({ id }) => id);
  const offered = useData(
    (signal) => Promise.all(ids.map((id) => api.get('/organizations/{id}', { path: { id }, signal }))),
    [ids.join()],
  );
  useEvents(['ownership_transfer.'], offered.reload);
  return html`${offered.data?.map((one) => html`<${Offer} key=${one.id} organization=${one} onDone=${offered.reload} />`)}
    <div class="stack">
      <${List} isPage of=${own} title=${t(FRAME.organizations)} context=${{}} />
      ${me.value && html`<${Quotas} title=${t(MANAGE.yourQuotas)} quotas=${me.value.quotas} />`}
    </div>
    <${Performed} />`;
}
