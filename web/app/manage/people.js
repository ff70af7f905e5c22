// Members of an organization, and what else concerns people.
import { api } from '../api.js';
import { listAll, useData } from '../data.js';
import { useEvents } from '../events.js';
import { navigate } from '../router.js';
import { loadSession, me } from '../session.js';
import { formatDate, t } from '../text.js';
import { LIST, MEMBERS, ROLE_HINT, ROLE_NAMES } from '../texts/manage.js';
import { accessText, flagFields, MEMBER_FLAGS, readFlags } from './flags.js';
import { Named } from './list.js';
import { isManager, MANAGED, rolesToGive } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Text } from '../text.js' */
/** @import { Options } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Role } from './rights.js' */
/** @typedef {readonly Schemas['Member'][]} People */
/** What all sections of an organization are shown with. @typedef {{ id: string, role: Role, people: People, organization: Schemas['OrganizationDetail'], reload: () => void }} Context */

/** The members of an organization, to choose from. @param {string} id @returns {People} */
export function usePeople(id) {
  const path = '/organizations/{id}/members';
  const loaded = useData((signal) => listAll(path, { path: { id }, signal }), [id]);
  useEvents(['member.', 'user.'], loaded.reload);
  return loaded.data ?? [];
}

/** People as options, with their addresses, as names can be the same. @param {People} people @param {Text} [first] what no choice means @returns {Options} */
export function optionsOf(people, first) {
  const options = people.map(({ id, name, email }) => /** @type {const} */ ([id, `${name} (${email})`]));
  return first ? [['', t(first)], ...options] : options;
}

/** A choice of roles. @param {readonly Role[]} roles @param {Role} [value] */
export const roleField = (roles, value = 'EDITOR') => ({
  name: 'role',
  label: LIST.role,
  hint: ROLE_HINT,
  value,
  options: roles.map((one) => /** @type {const} */ ([one, t(ROLE_NAMES[one])])),
});

/** What ends together with a membership. @param {string} text @param {{ disabled_webhooks?: readonly unknown[], ended_share_links?: number, ended_invitations?: number }} result */
export function outcome(text, result) {
  const ended = /** @type {const} */ ([
    [MEMBERS.links, result.ended_share_links],
    [MEMBERS.invites, result.ended_invitations],
    [MEMBERS.hooks, result.disabled_webhooks?.length],
  ]);
  return [text, ...ended.flatMap(([one, n]) => (n ? t(one, { n }) : []))].join(' ');
}

const MEMBER = '/organizations/{id}/members/{userId}';

/** @type {Resource<'/organizations/{id}/members', Context>} */
export const members = {
  path: '/organizations/{id}/members',
  searches: true,
  live: ['member.', 'user.'],
  nameOf: ({ name }) => name,
  columns: ({ role }) => [
    [
      LIST.name,
      ({ id, name, email }) =>
        Named({ name, sub: id === me.value?.id ? `${email} ${t(MEMBERS.you)}` : email }),
    ],
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
    const heir = { name: 'heir', label: MEMBERS.newOwner, options: heirs };
    const hooks = { name: 'hooks', label: MEMBERS.takeOver, defaultChecked: true };
    return [
      roles.length > 1 && {
        label: MEMBERS.changeRole,
        text: isSelf ? MEMBERS.ownRole : undefined,
        fields: [roleField(roles, one.role)],
        run: async (values) => {
          const body = { role: /** @type {Role} */ (values.role) };
          const changed = await api.patch(MEMBER, { path, body });
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
        text: MEMBERS.removeText,
        fields: isManager(one.role) && !isSelf ? [heir, hooks] : [heir],
        run: async (values) => {
          const webhooks = values.hooks ? /** @type {const} */ ('take_over') : undefined;
          const query = { new_owner: values.heir || undefined, webhooks };
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
