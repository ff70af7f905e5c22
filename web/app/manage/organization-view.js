import { signal } from '@preact/signals';
import { api } from '../api.js';
import { useData } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { at, route } from '../router.js';
import { loadSession, me, roleIn } from '../session.js';
import { PageTitle } from '../shell.js';
import { formatTime, t } from '../text.js';
import { FRAME } from '../texts/common.js';
import { ERRORS } from '../texts/errors.js';
import { MANAGE, ROLE_NAMES, SECTIONS } from '../texts/manage.js';
import { Loaded } from '../ui/parts.js';
import { accounts } from './accounts.js';
import { Act, Performed } from './actions.js';
import { AuditLog } from './audit.js';
import { Glossary } from './glossary.js';
import { List } from './list.js';
import { members, usePeople } from './people.js';
import { folders, invitations } from './places.js';
import { Quotas } from './quotas.js';
import { isManager } from './rights.js';
import { Settings } from './settings.js';
import { webhooks } from './webhooks.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {(props: Context & { title: string, isPage: true, quotas: any }) => unknown} Whole */

/** The sections, by their names in the URL: lists, and what is more than a list. @type {Readonly<Record<keyof typeof SECTIONS, Resource<any, any> | Whole>>} */
const VIEWS = {
  members,
  invitations,
  folders,
  settings: Settings,
  glossary: Glossary,
  'service-accounts': accounts,
  webhooks,
  audit: AuditLog,
  quotas: Quotas,
};
const NAMES = /** @type {(keyof typeof SECTIONS)[]} */ (Object.keys(VIEWS));
const FOR_ALL = new Set(['members', 'folders', 'settings', 'glossary']);

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
  if (!role) return html`<${PageTitle} title=${t(ERRORS.ORGANIZATION_NOT_FOUND)} />`;
  const names = NAMES.filter((one) => isManager(role) || FOR_ALL.has(one));
  const name = names.find((one) => one === section);
  const linkTo = (/** @type {keyof typeof SECTIONS} */ one) => {
    const current = one === name ? { 'aria-current': 'page', ref: reveal } : {};
    return html`<a key=${one} href=${at(`/organizations/${id}/${one}`)} ...${current}
      >${t(SECTIONS[one])}</a
    >`;
  };
  const opened = route.value.query.get('open');
  const shown = (/** @type {Schemas['OrganizationDetail']} */ organization) => {
    const context = { id, role, people, organization, reload: loaded.reload };
    return html`<p class="crumbs">
        <a href=${at('/organizations')}>${t(FRAME.organizations)}</a> / <bdi>${organization.name}</bdi>
        ${name && opened && html` / <a href=${at(`/organizations/${id}/${name}`)}>${t(SECTIONS[name])}</a>`}
      </p>
      <${Offer} organization=${organization} onDone=${loaded.reload} />
      <div class="manage">
        <nav aria-label=${t(MANAGE.sections)}>${names.map(linkTo)}</nav>
        ${
          name
            ? html`<${Section}
                view=${VIEWS[name]}
                opened=${opened}
                title=${t(SECTIONS[name])}
                ...${context}
              />`
            : html`<div role="status">
                <${PageTitle} title=${t(MANAGE.notHere, { role: t(ROLE_NAMES[role]) })} />
              </div>`
        }
      </div>
      <${Performed} />`;
  };
  const data = kept.value?.id === id ? kept.value : undefined;
  return html`<${Loaded} of=${{ ...loaded, data }}>${shown}<//>`;
}

/** @param {Context & { view: Resource<any, any> | Whole, opened: string | null, title: string }} props */
function Section({ view, opened, title, ...context }) {
  if (typeof view === 'function')
    return html`<${view} isPage title=${title} ...${context} quotas=${context.organization.quotas} />`;
  return opened && view.One
    ? html`<${view.One} key=${opened} openedId=${opened} ...${context} />`
    : html`<${List} isPage of=${view} title=${title} context=${context} />`;
}

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
