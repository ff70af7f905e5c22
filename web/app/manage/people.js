// Members of an organization, and what else concerns people.
import { api } from '../api.js';
import { useData, usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { navigate } from '../router.js';
import { loadSession, me } from '../session.js';
import { formatDate, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { FLAGS, LIST, MEMBERS, ROLE_HINT, ROLE_NAMES } from '../texts/manage.js';
import { choice, flagFields, readFlags, tick } from './actions.js';
import { searched } from './list.js';
import { isManager, MANAGED, MEMBER_FLAGS, rolesToGive } from './rights.js';

/** @import { Item, Schemas } from 'meeting-recording-client' */
/** @import { Text } from '../text.js' */
/** @import { Options } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Role } from './rights.js' */
/** @typedef {readonly Schemas['Member'][]} People */
/** `people`: of its members, as many as are offered where one has to be chosen. @typedef {{ id: string, role: Role, people: People }} Context */

const MAX_READ = 500;

/** The members of an organization, to choose from; without one, nobody. @param {string | null} id @returns {People} */
export function usePeople(id) {
  const loaded = useData((signal) => readAll('/organizations/{id}/members', id, signal), [id]);
  useEvents(['member.', 'user.'], loaded.reload);
  return loaded.data ?? [];
}

/** The first of a list of an organization. @template {'/organizations/{id}/members' | '/organizations/{id}/folders'} P @param {P} path @param {string | null} id @param {AbortSignal} signal */
export async function readAll(path, id, signal) {
  /** @type {Item<P>[]} */
  const all = [];
  if (id === null) return all;
  // Which options a path takes cannot be said of both at once.
  for await (const one of api.list(
    path,
    /** @type {any} */ ({ path: { id }, query: { limit: 100 }, signal }),
  ))
    if (all.push(one) >= MAX_READ) break;
  return all;
}

/** People as options, with their addresses, as names can be the same. @param {People} people @param {Text} [first] what no choice means @returns {Options} */
export function optionsOf(people, first) {
  const options = people.map(({ id, name, email }) => /** @type {const} */ ([id, `${name} (${email})`]));
  return first ? [['', t(first)], ...options] : options;
}

/** A choice of roles. @param {readonly Role[]} roles @param {Role} [value] */
export function roleField(roles, value = 'EDITOR') {
  const options = roles.map((one) => /** @type {const} */ ([one, t(ROLE_NAMES[one])]));
  return choice('role', LIST.role, options, value, ROLE_HINT);
}

/** What ends together with a membership. @param {string} text @param {{ disabled_webhooks?: readonly unknown[], ended_share_links?: number, ended_invitations?: number }} result */
export function outcome(
  text,
  { disabled_webhooks: hooks, ended_share_links: links, ended_invitations: invites },
) {
  const ended = [links && t(MEMBERS.links, { n: links }), invites && t(MEMBERS.invites, { n: invites })];
  return [text, ...ended, hooks?.length && t(MEMBERS.hooks, { n: hooks.length })].filter(Boolean).join(' ');
}

/** What a member may not do that most may. @param {{ features: Schemas['MemberFeatures'] | null, role: Role }} one */
export function accessText({ features, role }) {
  if (!features) return '';
  const isGiven = features.view_all_recordings && !isManager(role);
  const seesAll = features.view_all_recordings || isManager(role);
  const off = MEMBER_FLAGS.filter((name) => !features[name] && !(name.startsWith('view_') && seesAll));
  const told = off.flatMap((name) => (name === 'view_all_recordings' ? [] : t(FLAGS[name][2])));
  return (
    [isGiven && t(FLAGS.view_all_recordings[0]), ...told].filter(Boolean).join(', ') || t(MEMBERS.everything)
  );
}

const MEMBER = '/organizations/{id}/members/{userId}';

/** @type {Resource<Schemas['Member'], Context>} */
export const members = {
  empty: COMMON.none,
  searches: true,
  live: ['member.', 'user.'],
  load({ id, role }) {
    const query = { search: searched() };
    return usePages('/organizations/{id}/members', { path: { id }, query }, [id, role, query.search]);
  },
  nameOf: ({ name }) => name,
  columns: ({ role }) => [
    [LIST.name, ({ id, name, email }) => html`<${Person} id=${id} name=${name} email=${email} />`],
    [LIST.role, (one) => t(ROLE_NAMES[one.role])],
    ...(isManager(role) ? [/** @type {const} */ ([MEMBERS.access, accessText])] : []),
    [MEMBERS.joined, (one) => formatDate(one.joined_at)],
  ],
  actions(one, { id, role, people }) {
    const path = { id, userId: one.id };
    const isSelf = one.id === me.value?.id;
    const roles = rolesToGive(role, one.role, isSelf);
    const manages = MANAGED[role].includes(one.role);
    const others = people.filter((other) => other.id !== one.id);
    const heirs = optionsOf(others, isSelf ? MEMBERS.anOwner : MEMBERS.me);
    const passTo = choice('heir', MEMBERS.newOwner, heirs);
    const takeOver = tick('hooks', MEMBERS.takeOver, true, MEMBERS.takeOverHint);
    return [
      roles.length > 1 && {
        label: MEMBERS.changeRole,
        text: isSelf ? MEMBERS.ownRole : undefined,
        fields: [roleField(roles, one.role)],
        run: async (values) => {
          const changed = await api.patch(MEMBER, {
            path,
            body: { role: /** @type {Role} */ (values.role) },
          });
          if (isSelf) await loadSession();
          return outcome(t(LIST.saved), changed);
        },
      },
      manages && {
        label: MEMBERS.flags,
        fields: flagFields(MEMBER_FLAGS, one.features ?? {}),
        run: (values) => api.patch(MEMBER, { path, body: { features: readFlags(MEMBER_FLAGS, values) } }),
      },
      (isSelf || manages) && {
        label: isSelf ? MEMBERS.leave : MEMBERS.remove,
        isDanger: true,
        text: isSelf ? MEMBERS.leaveText : MEMBERS.removeText,
        fields: isManager(one.role) && !isSelf ? [passTo, takeOver] : [passTo],
        run: async ({ heir, hooks }) => {
          const query = { new_owner: heir || undefined, webhooks: hooks ? TAKE_OVER : undefined };
          const removed = await api.delete(MEMBER, { path, query });
          if (isSelf) {
            navigate('/organizations');
            await loadSession();
          }
          return outcome(isSelf ? t(MEMBERS.left) : t(MEMBERS.removed, { name: one.name }), removed);
        },
      },
    ];
  },
};
const TAKE_OVER = /** @type {const} */ ('take_over');

/** @param {{ id: string, name: string, email: string }} props */
const Person = ({ id, name, email }) =>
  html`<bdi class="name">${name}</bdi>
    ${id === me.value?.id && ` (${t(MEMBERS.you)})`}
    <bdi class="sub">${email}</bdi>`;
