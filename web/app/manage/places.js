// Invitations to an organization, and its folders.
import { api } from '../api.js';
import { useData, usePages } from '../data.js';
import { useEvents } from '../events.js';
import { html } from '../html.js';
import { formatDate, t } from '../text.js';
import { COMMON } from '../texts/common.js';
import { FOLDERS, INVITATIONS, LIST, MEMBERS, ROLE_NAMES } from '../texts/manage.js';
import { boxes, choice, flagFields, input, nameField, readFlags, Secret, tick } from './actions.js';
import { searched } from './list.js';
import { accessText, optionsOf, readAll, roleField } from './people.js';
import { isManager, MANAGED, MEMBER_FLAGS } from './rights.js';

/** @import { Schemas } from 'meeting-recording-client' */
/** @import { Options } from './actions.js' */
/** @import { Resource } from './list.js' */
/** @import { Context } from './people.js' */
/** @typedef {Schemas['Invitation']} Invitation */

const INVITATION = '/organizations/{id}/invitations/{invitationId}';
/** What members can do unless something else is said. */
const DEFAULTS = {
  ...Object.fromEntries(MEMBER_FLAGS.map((name) => [name, true])),
  view_all_recordings: false,
};
/** Names of languages are in these. @type {Options} */
const LANGUAGES = [
  ['', '–'],
  ['en', 'English'],
  ['de', 'Deutsch'],
];

/** The link, where the service sends no email. @param {Pick<Invitation, 'email' | 'invite_url'>} invitation */
const linkOf = ({ email, invite_url: url }) =>
  url ? new Secret(email, url, INVITATIONS.linkText) : t(INVITATIONS.invited, { email });

/** The restricted folders of an organization, which invitations can open, as options. @param {string} id @returns {Options} */
export function useRestricted(id) {
  const loaded = useData((signal) => readAll('/organizations/{id}/folders', id, signal), [id]);
  useEvents(['folder.'], loaded.reload);
  return loaded.data?.flatMap((one) => (one.is_restricted ? [[one.id, one.name]] : [])) ?? [];
}

/** @type {Resource<Invitation, Context & { restricted: Options }>} */
export const invitations = {
  empty: INVITATIONS.empty,
  searches: true,
  live: ['invitation.', 'member.'],
  load({ id, role }) {
    const query = { search: searched() };
    return usePages('/organizations/{id}/invitations', { path: { id }, query }, [id, role, query.search]);
  },
  nameOf: ({ email }) => email,
  columns: () => [
    [LIST.email, ({ email }) => html`<bdi class="name">${email}</bdi>`],
    [LIST.role, ({ role }) => t(ROLE_NAMES[role])],
    [MEMBERS.access, accessText],
    [INVITATIONS.mail, (one) => t(INVITATIONS[one.mail_status], { error: one.mail_error ?? '' })],
    [LIST.expires, (one) => formatDate(one.expires_at)],
  ],
  create: ({ id, role: inviter, restricted }) => ({
    label: INVITATIONS.invite,
    fields: [
      input('email', LIST.email, { type: 'email', required: true, maxlength: 254 }),
      roleField(MANAGED[inviter]),
      choice('language', INVITATIONS.language, LANGUAGES),
      ...(restricted.length > 0 ? [boxes('folders', INVITATIONS.folders, restricted)] : []),
      ...flagFields(MEMBER_FLAGS, DEFAULTS),
    ],
    run: async ({ email = '', ...values }, data) => {
      const role = /** @type {Invitation['role']} */ (values.role);
      const language = /** @type {'en' | 'de'} */ (values.language) || undefined;
      const folderIds = data.getAll('folders').map(String);
      const body = {
        email,
        role,
        language,
        folder_ids: folderIds,
        features: readFlags(MEMBER_FLAGS, values),
      };
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
  return [
    nameField(one?.name),
    tick('restricted', FOLDERS.restrict, one?.is_restricted, FOLDERS.restrictHint),
    boxes('members', FOLDERS.members, options, chosen),
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

/** @type {Resource<Schemas['Folder'], Context>} */
export const folders = {
  empty: FOLDERS.empty,
  searches: true,
  live: ['folder.', 'member.'],
  load({ id, role }) {
    const query = { search: searched(), all: isManager(role) || undefined };
    return usePages('/organizations/{id}/folders', { path: { id }, query }, [id, query.all, query.search]);
  },
  nameOf: ({ name }) => name,
  columns: () => [
    [LIST.name, ({ name }) => html`<bdi class="name">${name}</bdi>`],
    [FOLDERS.openTo, openTo],
    [LIST.status, (one) => t(one.is_active ? FOLDERS.active : FOLDERS.inactive)],
  ],
  create(context) {
    const path = { id: context.id };
    /** @type {import('./actions.js').Action['run']} */
    const run = (...sent) => api.post('/organizations/{id}/folders', { path, body: folderBody(...sent) });
    return isManager(context.role) && { label: FOLDERS.create, fields: folderFields(context), run };
  },
  actions(one, context) {
    if (!isManager(context.role)) return [];
    const path = { id: context.id, folderId: one.id };
    const toggle = () => api.patch(FOLDER, { path, body: { is_active: !one.is_active } });
    const remove = () => api.delete(FOLDER, { path });
    return [
      {
        label: LIST.edit,
        fields: folderFields(context, one),
        run: (values, data) => api.patch(FOLDER, { path, body: folderBody(values, data) }),
      },
      { label: one.is_active ? LIST.disable : LIST.enable, run: toggle },
      { label: COMMON.delete, isDanger: true, text: FOLDERS.deleteText, said: LIST.deleted, run: remove },
    ];
  },
};
