import { api } from '../api.js';
import { html } from '../html.js';
import { at, route } from '../router.js';
import { formatTime, t } from '../text.js';
import { AUDIT, FAMILIES, HAPPENINGS } from '../texts/changes.js';
import { Filter } from '../ui/filters.js';
import { attempt } from '../ui/parts.js';
import { saveAs } from '../ui/download.js';
import { List } from './list.js';
import { changesText } from './notation.js';
import { optionsOf } from './people.js';

/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */

/** A type of change for people: `Share link revoked`; an unknown one as it is. @param {string} type */
export function typeText(type) {
  const [family = '', happening = ''] = type.split('.');
  const [noun, verb] = [FAMILIES[family], HAPPENINGS[happening]];
  return noun && verb ? `${t(noun)} ${t(verb)}` : type;
}

const FILTERS = /** @type {const} */ (['type', 'actor_id', 'since', 'until']);
const filtersNow = () =>
  Object.fromEntries(FILTERS.map((name) => [name, route.value.query.get(name) || undefined]));

/** @type {Resource<'/organizations/{id}/audit-log', Context>} */
const entries = {
  path: '/organizations/{id}/audit-log',
  query: filtersNow,
  empty: AUDIT.empty,
  // It grows with everything that anybody does: what is read stays where it is.
  live: [],
  columns: ({ people }) => [
    [
      AUDIT.what,
      ({ type, email, user_id: userId, target_id: targetId, recording_id: recordingId, changes }) => {
        const whom = email ?? people.find(({ id }) => id === userId || id === targetId)?.name;
        return html`<span class="name">${typeText(type)}</span>${whom && html`: <bdi>${whom}</bdi>`}
          <span class="sub" dir="auto">${changesText(changes)}</span>
          ${recordingId && html`<a class="sub" href=${at(`/recordings/${recordingId}`)}>${t(AUDIT.recording)}</a>`}`;
      },
    ],
    [AUDIT.who, ({ actor: { name, kind } }) => html`<bdi>${name ?? t(AUDIT[kind])}</bdi>`],
    [AUDIT.when, (one) => formatTime(one.at)],
    [
      AUDIT.where,
      ({ address, client, api_key: key, connection }) =>
        [address, client, key?.prefix, connection && t(AUDIT.app, { name: connection.client_name })]
          .filter(Boolean)
          .join(' · '),
    ],
  ],
};

/** The audit log of an organization; filters are in the URL. @param {Context & { title: string }} props */
export function AuditLog({ title, ...context }) {
  const families = Object.entries(FAMILIES).map(([family, name]) => [`${family}.*`, t(name)]);
  const download = async () => {
    const query = { ...filtersNow(), format: /** @type {const} */ ('ndjson') };
    const path = { id: context.id };
    saveAs(await api.text('/organizations/{id}/audit-log', { path, query }), title, 'ndjson');
  };
  const people = optionsOf(context.people, AUDIT.everybody);
  return html`<${List} isPage of=${entries} context=${context} title=${title}>
    <div class="filters" role="group" aria-label=${t(AUDIT.filters)}>
      <${Filter} name="type" label=${t(AUDIT.what)} options=${[['', t(AUDIT.everything)], ...families]} />
      <${Filter} name="actor_id" label=${t(AUDIT.who)} options=${people} />
      <${Filter} name="since" label=${t(AUDIT.since)} type="date" />
      <${Filter} name="until" label=${t(AUDIT.until)} type="date" />
      <button type="button" class="button" onClick=${() => attempt(download)}>${t(AUDIT.download)}</button>
    </div>
  <//>`;
}
