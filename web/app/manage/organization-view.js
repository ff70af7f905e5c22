import { signal } from '@preact/signals';
import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, route, setQuery } from '../router.js';
import { loadSession, me, roleIn } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { MANAGE, ROLE_NAMES, SECTIONS } from '../texts/manage.js';
import { ACCOUNTS } from '../texts/settings.js';
import { Loading, Problem } from '../ui/parts.js';
import { accounts, keys } from './accounts.js';
import { Act, Performed } from './actions.js';
import { AuditLog } from './audit.js';
import { Glossary } from './glossary.js';
import { List } from './list.js';
import { members, usePeople } from './people.js';
import { folders, invitations, useRestricted } from './places.js';
import { Quotas } from './quotas.js';
import { MANAGED } from './rights.js';
import { AuditStream, Settings } from './settings.js';
import { webhooks } from './webhooks.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Context } from './people.js' */
/** @import { Role } from './rights.js' */
/** @typedef {Context & { organization: Schemas['OrganizationDetail'], reload: () => void }} SectionProps */

const MANAGERS = /** @type {readonly Role[]} */ (['OWNER', 'ADMIN']);

/** The sections, by their names in the URL, and who may open them. @type {Readonly<Record<keyof typeof SECTIONS, readonly [(props: SectionProps & { title: string }) => unknown, roles?: readonly Role[]]>>} */
const VIEWS = {
  members: [
    ({ title, ...context }) => html`<${List} isPage of=${members} title=${title} context=${context} />`,
  ],
  invitations: [Invitations, MANAGERS],
  folders: [
    ({ title, ...context }) => html`<${List} isPage of=${folders} title=${title} context=${context} />`,
  ],
  settings: [Settings],
  glossary: [Glossary],
  'service-accounts': [ServiceAccounts, MANAGERS],
  webhooks: [
    ({ title, id }) => html`<${List} isPage of=${webhooks} title=${title} context=${{ id }} />`,
    MANAGERS,
  ],
  audit: [
    ({ title, id, people }) => html`<${AuditLog} isPage id=${id} people=${people} title=${title} />`,
    MANAGERS,
  ],
  'audit-stream': [AuditStream, ['OWNER']],
  quotas: [
    ({ title, organization: { quotas } }) =>
      quotas && html`<${Quotas} isPage title=${title} quotas=${quotas} />`,
    MANAGERS,
  ],
};
const NAMES = /** @type {(keyof typeof SECTIONS)[]} */ (Object.keys(VIEWS));

/** @param {SectionProps & { title: string }} props */
function Invitations({ title, ...context }) {
  const restricted = useRestricted(context.id);
  return html`<${List} isPage of=${invitations} title=${title} context=${{ ...context, restricted }} />`;
}

/** The accounts, or the keys of the one in the URL. @param {SectionProps & { title: string }} props */
function ServiceAccounts({ title, ...context }) {
  const { id, role } = context;
  const accountId = route.value.query.get('account');
  if (!accountId) return html`<${List} isPage of=${accounts} title=${title} context=${context} />`;
  return html`<${Keys} id=${id} accountId=${accountId} role=${role} />`;
}

/** @param {{ id: string, accountId: string, role: Role }} props */
function Keys({ id, accountId, role }) {
  const path = { id, accountId };
  const { data, error, reload } = useData(
    (ending) => api.get('/organizations/{id}/service-accounts/{accountId}', { path, signal: ending }),
    [id, accountId],
  );
  if (!data) return error ? html`<${Problem} error=${error} onRetry=${reload} />` : html`<${Loading} />`;
  const context = { path, mayChange: MANAGED[role].includes(data.role) };
  return html`<${List} isPage of=${keys} title=${t(ACCOUNTS.keysOf, { name: data.name })} context=${context}>
    <button type="button" class="link" onClick=${() => setQuery({ account: '' })}>
      ← ${t(SECTIONS['service-accounts'])}
    </button>
  <//>`;
}

/** On phones, the sections are a strip that scrolls. @param {HTMLElement | null} link */
const reveal = (link) => link?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** What was loaded last: the next section of the same organization shows it at once. */
const kept = signal(/** @type {Schemas['OrganizationDetail'] | null} */ (null));

/** @param {{ params: readonly string[] }} props */
export function View({ params: [id = '', section = 'members'] }) {
  const role = roleIn(id);
  const people = usePeople(id);
  const loaded = useData(
    async (ending) => (kept.value = await api.get('/organizations/{id}', { path: { id }, signal: ending })),
    [id, role],
  );
  useEvents(['organization.', 'ownership_transfer.', 'member.'], loaded.reload);
  const organization = kept.value?.id === id ? kept.value : null;
  if (!role) return html`<${Nothing} text=${t(MANAGE.notMember)} />`;
  if (!organization)
    return loaded.error
      ? html`<${Problem} error=${loaded.error} onRetry=${loaded.reload} />`
      : html`<${Loading} />`;
  const names = NAMES.filter((one) => VIEWS[one][1]?.includes(role) ?? true);
  const name = names.find((one) => one === section);
  const context = { id, role, people, organization, reload: loaded.reload };
  return html`<p class="crumbs">
      <a href=${at('/organizations')}>${t(FRAME.organizations)}</a> / <bdi>${organization.name}</bdi>
    </p>
    <${Offer} organization=${organization} onDone=${loaded.reload} />
    <div class="manage">
      <nav aria-label=${t(MANAGE.sections)}>
        ${names.map(
          (one) =>
            html`<a
              key=${one}
              href=${at(`/organizations/${id}/${one}`)}
              aria-current=${one === name ? 'page' : undefined}
              ref=${one === name ? reveal : undefined}
              >${t(SECTIONS[one])}</a
            >`,
        )}
      </nav>
      ${
        name
          ? html`<${VIEWS[name][0]} ...${context} title=${t(SECTIONS[name])} />`
          : html`<${Nothing} text=${t(MANAGE.notHere, { role: t(ROLE_NAMES[role]) })} />`
      }
    </div>
    <${Performed} />`;
}

/** @param {{ text: string }} props */
const Nothing = ({ text }) =>
  html`<div role="status">
    <${PageTitle} title=${text} />
    <p><a href=${at('/organizations')}>${t(MANAGE.toOrganizations)}</a></p>
  </div>`;

/** The ownership of an organization, if it is offered to oneself. @param {{ organization: Schemas['OrganizationDetail'], onDone: () => void }} props */
export function Offer({ organization: { id, name, transfer }, onDone }) {
  if (!transfer || transfer.user_id !== me.value?.id) return null;
  const path = { id };
  const accept = () => api.post('/organizations/{id}/transfer/accept', { path }).then(loadSession);
  const decline = () => api.delete('/organizations/{id}/transfer', { path });
  return html`<div class="offer">
    <p dir="auto">${t(MANAGE.offered, { name, time: formatTime(transfer.expires_at) })}</p>
    <${Act} of=${{ label: MANAGE.accept, said: MANAGE.accepted, run: accept }} onDone=${onDone} />
    <${Act} of=${{ label: MANAGE.decline, said: MANAGE.declined, run: decline }} onDone=${onDone} />
  </div>`;
}
