import {
  isManager,
  isOpen,
  join,
  manages,
  memberOf,
  organizationOf,
  ROLES,
  userWith,
  type State,
} from './model.js';
import { about, CONFLICT, CREATED, DONE, FORBIDDEN, INVALID, place, type Plan } from './plan.js';

/** Mostly somebody who is no member, and may be no user yet. */
export const invite: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const outsiders = [...state.users.keys()].filter((one) => !memberOf(home, one));
  const subject = choose.oneIn(2) ? choose.user(state) : (choose.one(outsiders) ?? by);
  const known = state.users[subject]!.email;
  const email = choose.oneIn(2) ? known : `newcomer-${choose.below(3)}-${known.split('-').at(-1)}`;
  const role = choose.one(ROLES);
  const restricted = home.folders.filter((one, index) => one.named !== null || index === 0);
  const folders = choose.some(restricted, Math.min(1, restricted.length)).map((folder) => folder.id);
  const body = { email, role, folder_ids: folders };
  return about(home, by, { method: 'POST', path: '/invitations', body }, (found) => {
    const { home: there, member, state: now, reply } = found;
    if (!manages(member, role)) return FORBIDDEN;
    const user = userWith(now, email);
    const isMember = user !== undefined && memberOf(there, user) !== undefined;
    const isInvited = there.invitations.some((one) => one.email === email);
    const usable = there.folders.filter((one) => one.active && one.named !== null);
    const isUsable = folders.every((given) => usable.some((one) => one.id === given));
    const reasons = [...(isMember || isInvited ? [CONFLICT] : []), ...(isUsable ? [] : [INVALID])];
    if (reasons.length > 0) return reasons;
    const { id: invitation, invite_token: token } = reply.body.data ?? {};
    there.invitations.push({ id: invitation, token, email, role, by, folders });
    return CREATED;
  });
};

/** Withdraws an invitation, or sends it again. */
export const changeInvitation: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const invitation = choose.one(home.invitations);
  if (!invitation) return null;
  const again = choose.oneIn(2);
  const path = `/invitations/${invitation.id}${again ? '/resend' : ''}`;
  const method = again ? 'POST' : 'DELETE';
  return about(home, by, { method, path }, ({ home: found, member, reply }) => {
    if (!isManager(member)) return FORBIDDEN;
    const open = found.invitations.find((one) => one.id === invitation.id);
    if (!open) return '404 INVITATION_NOT_FOUND';
    if (!manages(member, open.role)) return FORBIDDEN;
    if (again) Object.assign(open, { by, token: reply.body.data?.invite_token });
    else found.invitations = found.invitations.filter((one) => one !== open);
    return DONE;
  });
};

/** By whom it is for, if that is a user, verified or not; otherwise by somebody without a key. Sometimes by another. */
export const accept: Plan = (state, choose) => {
  const home = choose.organization(state);
  const invitation = choose.one(home.invitations);
  if (!invitation) return null;
  const { email, token } = invitation;
  const hasAddress = (now: State, who: number): boolean =>
    now.users[who]!.alive && now.users[who]!.email === email;
  const claimants = [...state.users.keys()].filter((who) => hasAddress(state, who));
  const invited = userWith(state, email) ?? choose.one(claimants) ?? null;
  const by = choose.one([invited, invited, invited, invited, choose.user(state), null]);
  return {
    by,
    method: 'POST',
    path: '/invitations/accept',
    body: { token, ...(by === null && { name: 'Newcomer' }) },
    apply: (now, reply) => {
      const found = organizationOf(now, home.id);
      const open = found.invitations.find((one) => one.token === token);
      if (!open || !manages(memberOf(found, open.by), open.role)) return '404 INVITATION_NOT_FOUND';
      if (by !== null && !hasAddress(now, by)) return FORBIDDEN;
      if (by !== null && memberOf(found, by)) return CONFLICT;
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
};
