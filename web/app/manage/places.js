// Invitations to an organization, and its folders.
import { api } from '../api.js';
import { formatDate, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { FOLDERS, INVITATIONS, LIST, MEMBERS, ROLE_NAMES } from '../texts/manage.js';
import { nameField, Secret } from './actions.js';
import { accessText, flagFields, MEMBER_FLAGS, readFlags, USUAL } from './flags.js';
import { Named } from './list.js';
import { optionsOf, roleField } from './people.js';
import { isManager, MANAGED } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Action } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @import { Role } from './rights.js' */

const INVITATION = '/organizations/{id}/invitations/{invitationId}';

/** The link, where the service sends no email. @param {Pick<Schemas['Invitation'], 'email' | 'invite_url'>} invitation */
const linkOf = ({ email, invite_url: url }) =>
  url ? new Secret(email, url, INVITATIONS.linkText) : t(INVITATIONS.invited, { email });

/** @type {Resource<'/organizations/{id}/invitations', Context>} */
export const invitations = {
  path: '/organizations/{id}/invitations',
  empty: INVITATIONS.empty,
  searches: true,
  live: ['invitation.', 'member.'],
  nameOf: ({ email }) => email,
  columns: () => [
    [LIST.email, ({ email }) => Named({ name: email })],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [MEMBERS.access, accessText],
    [LIST.email, (one) => t(INVITATIONS[one.mail_status], { error: one.mail_error ?? '' })],
    [LIST.expires, (one) => formatDate(one.expires_at)],
  ],
  create: ({ id, role: inviter }) => ({
    label: INVITATIONS.invite,
    fields: [
      { name: 'email', label: LIST.email, type: 'email', required: true, maxlength: 254 },
      roleField(MANAGED[inviter]),
      ...flagFields(MEMBER_FLAGS, USUAL),
    ],
    run: async ({ email = '', ...values }) => {
      const role = /** @type {Role} */ (values.role);
      const body = { email, role, features: readFlags(MEMBER_FLAGS, values) };
      return linkOf(await api.post('/organizations/{id}/invitations', { path: { id }, body }));
    },
  }),
  actions(one, { id, role }) {
    if (!MANAGED[role].includes(one.role)) return [];
    const path = { id, invitationId: one.id };
    const resend = async () => linkOf({ ...one, ...(await api.post(`${INVITATION}/resend`, { path })) });
    const withdraw = () => api.delete(INVITATION, { path });
    return [
      { label: INVITATIONS.resend, run: resend },
      { label: INVITATIONS.withdraw, isDanger: true, said: INVITATIONS.withdrawn, run: withdraw },
    ];
  },
};

const FOLDER = '/organizations/{id}/folders/{folderId}';

/** @param {Context} context @param {Schemas['Folder']} [one] */
function folderFields({ people }, one) {
  const chosen = one?.restricted_to ?? [];
  // Those whom the list of people is too short for stay chosen.
  const others = chosen.filter((id) => !people.some((person) => person.id === id));
  const options = [...optionsOf(people), ...others.map((id) => /** @type {const} */ ([id, id]))];
  const isRestricted = one?.is_restricted;
  return [
    nameField(one?.name),
    { name: 'restricted', label: FOLDERS.restrict, hint: FOLDERS.restrictHint, defaultChecked: isRestricted },
    { name: 'members', label: FOLDERS.members, options, chosen },
  ];
}

/** @param {Record<string, string>} values @param {FormData} data */
const folderBody = ({ name = '', restricted }, data) => ({
  name,
  restricted_to: restricted ? data.getAll('members').map(String) : null,
});

/** @param {Schemas['Folder']} one */
function openTo({ is_restricted: isRestricted, restricted_to: named }) {
  if (!isRestricted) return t(FOLDERS.all);
  return named ? t(FOLDERS.some, { n: named.length }) : t(FOLDERS.certain);
}

/** @type {Resource<'/organizations/{id}/folders', Context>} */
export const folders = {
  path: '/organizations/{id}/folders',
  query: ({ role }) => ({ all: isManager(role) || undefined }),
  searches: true,
  live: ['folder.', 'member.'],
  nameOf: ({ name }) => name,
  columns: () => [
    [LIST.name, Named],
    [FOLDERS.openTo, openTo],
    [LIST.status, (one) => t(one.is_active ? LIST.active : LIST.inactive)],
  ],
  create(context) {
    const path = { id: context.id };
    /** @type {Action['run']} */
    const run = (...sent) => api.post('/organizations/{id}/folders', { path, body: folderBody(...sent) });
    return isManager(context.role) && { label: FOLDERS.create, fields: folderFields(context), run };
  },
  actions(one, context) {
    if (!isManager(context.role)) return [];
    const path = { id: context.id, folderId: one.id };
    /** @type {Action['run']} */
    const edit = (...sent) => api.patch(FOLDER, { path, body: folderBody(...sent) });
    const toggle = () => api.patch(FOLDER, { path, body: { is_active: !one.is_active } });
    const remove = () => api.delete(FOLDER, { path });
    return [
      { label: LIST.edit, fields: folderFields(context, one), run: edit },
      { label: one.is_active ? LIST.disable : LIST.enable, run: toggle },
      { label: COMMON.delete, isDanger: true, text: FOLDERS.deleteText, said: LIST.deleted, run: remove },
    ];
  },
};
