import { boolean, constantFrom, nat, option, record, type Arbitrary } from 'fast-check';
import {
  isManager,
  isOpen,
  join,
  manages,
  memberOf,
  organizationOf,
  ROLES,
  userWith,
  type ModelUser,
} from './model.js';
import {
  anyone,
  anyOrganization,
  called,
  CREATED,
  DONE,
  inOrganization,
  organizationAt,
  pick,
  some,
  userAt,
  userOf,
  type Action,
} from './prepared.js';

const hasAddress = ({ alive, email }: ModelUser, given: string): boolean => alive && email === given;

/** Addresses of people who are no users yet. */
const NEWCOMERS = 3;

export const invite: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  chosen: option(some, { freq: 2 }),
  outsider: some,
  newcomer: option(nat(NEWCOMERS - 1), { freq: 2 }),
  as: constantFrom(...ROLES),
  folder: option(some, { freq: 2 }),
}).map(({ caller, at, chosen, outsider, newcomer, as, folder }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const outsiders = [...state.users.keys()].filter((one) => !memberOf(home, one));
  const subject = chosen === null ? (pick(outsiders, outsider) ?? by) : userAt(state, chosen);
  const { email: known } = userOf(state, subject);
  const email = newcomer === null ? known : `newcomer-${newcomer}-${known.split('-').at(-1)}`;
  const restricted = home.folders.filter(({ named }, index) => named !== null || index === 0);
  const folders = (folder === null ? [] : [pick(restricted, folder)]).flatMap((one) => one?.id ?? []);
  const body = { email, role: as, folder_ids: folders };
  const text = `${called(by)} invites ${email} to ${home.id} as ${as}, folders ${folders}`;
  const path = `/organizations/${home.id}/invitations`;
  return inOrganization(home, { by, text, method: 'POST', path, body }, (found, all, reply) => {
    if (!manages(memberOf(found, by), as)) return ['403 FORBIDDEN'];
    const reasons: string[] = [];
    const user = userWith(all, email);
    const isMember = user !== undefined && memberOf(found, user) !== undefined;
    if (isMember || found.invitations.some((one) => one.email === email)) reasons.push('409 CONFLICT');
    const usable = found.folders.filter(({ active, named }) => active && named !== null);
    if (folders.some((given) => !usable.some((one) => one.id === given))) {
      reasons.push('400 VALIDATION_ERROR');
    }
    if (reasons.length > 0) return reasons;
    const { id, invite_token: token } = reply.body.data ?? {};
    found.invitations.push({ id, token, email, role: as, by, folders });
    return CREATED;
  });
});

/** Withdraws an invitation, or sends it again. */
export const changeInvitation: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  which: some,
  again: boolean(),
}).map(({ caller, at, which, again }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const invitation = pick(home.invitations, which);
  if (!invitation) return null;
  const path = `/organizations/${home.id}/invitations/${invitation.id}${again ? '/resend' : ''}`;
  const text = `${called(by)} ${again ? 'resends' : 'withdraws'} the invitation of ${invitation.email} to ${home.id}`;
  const method = again ? 'POST' : 'DELETE';
  return inOrganization(home, { by, text, method, path }, (found, _, reply) => {
    if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
    const open = found.invitations.find(({ id }) => id === invitation.id);
    if (!open) return ['404 INVITATION_NOT_FOUND'];
    if (!manages(memberOf(found, by), open.role)) return ['403 FORBIDDEN'];
    if (again) Object.assign(open, { by, token: reply.body.data?.invite_token });
    else found.invitations = found.invitations.filter((one) => one !== open);
    return DONE;
  });
});

/** By whom it is for, if that is a user, verified or not; otherwise by somebody without a key. Sometimes by another. */
export const accept: Arbitrary<Action> = record({
  as: constantFrom<'invited' | 'other' | 'nobody'>(
    'invited',
    'invited',
    'invited',
    'invited',
    'other',
    'nobody',
  ),
  other: some,
  at: anyOrganization,
  which: some,
}).map(({ as, other, at, which }): Action => (state) => {
  const home = organizationAt(state, at);
  const invitation = pick(home.invitations, which);
  if (!invitation) return null;
  const { email, token } = invitation;
  const claimants = [...state.users.keys()].filter((one) => hasAddress(userOf(state, one), email));
  const invited = userWith(state, email) ?? pick(claimants, other) ?? null;
  const by = as === 'invited' ? invited : as === 'other' ? userAt(state, other) : null;
  return {
    by,
    text: `${called(by)} accepts the invitation of ${email} to ${home.id}`,
    method: 'POST',
    path: '/invitations/accept',
    body: { token, ...(by === null && { name: 'Newcomer' }) },
    apply: (now, reply) => {
      const found = organizationOf(now, home.id);
      const open = found.invitations.find((one) => one.token === token);
      if (!open || !manages(memberOf(found, open.by), open.role)) return ['404 INVITATION_NOT_FOUND'];
      if (by !== null && !hasAddress(userOf(now, by), email)) return ['403 FORBIDDEN'];
      if (by !== null && memberOf(found, by)) return ['409 CONFLICT'];
      const joined = by ?? now.users.length;
      if (by === null) {
        const { user: created, key } = reply.body.data ?? {};
        now.users.push({ id: created?.id, email, verified: false, key, operator: false, alive: true });
      }
      found.invitations = found.invitations.filter((one) => one !== open);
      join(found, joined, open.role);
      for (const folder of found.folders) {
        if (open.folders.includes(folder.id) && !isOpen(folder, joined)) folder.named?.push(joined);
      }
      return CREATED;
    },
  };
});
