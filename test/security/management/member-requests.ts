import { ownDeletion } from '../../factories/workspace.js';
import {
  depart,
  endTransferOf,
  isLastOwner,
  manages,
  memberOf,
  ROLES,
  successor,
  type ModelOrganization,
  type State,
} from './model.js';
import { about, CONFLICT, CREATED, DONE, FORBIDDEN, idOf, INVALID, place, type Plan } from './plan.js';

/** In the query of what ends a membership. */
const named = (state: State, newOwner: number | null): string =>
  newOwner === null ? '' : `?new_owner=${idOf(state, newOwner)}`;

export const changeMember: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const subject = choose.user(state);
  const flag = choose.one(['view_all_recordings', 'view_folder_recordings', 'downloads'] as const);
  const flags = choose.oneIn(6) ? undefined : { [flag]: choose.oneIn(2) };
  const to = flags && choose.oneIn(6) ? undefined : choose.one(ROLES);
  const path = `/members/${idOf(state, subject)}`;
  const body = { role: to, features: flags };
  return about(home, by, { method: 'PATCH', path, body }, ({ home: found, member }) => {
    const existing = memberOf(found, subject);
    if (!existing) return '404 MEMBER_NOT_FOUND';
    const role = to ?? existing.role;
    const allowed =
      by === subject
        ? ROLES.indexOf(role) >= ROLES.indexOf(existing.role) && (!flags || existing.role === 'OWNER')
        : manages(member, existing.role) && manages(member, role);
    if (!allowed) return FORBIDDEN;
    if (role !== 'OWNER' && isLastOwner(found, subject)) return CONFLICT;
    if (role !== existing.role) endTransferOf(found, subject);
    existing.role = role;
    existing.viewAll = flags?.['view_all_recordings'] ?? existing.viewAll;
    existing.viewFolder = flags?.['view_folder_recordings'] ?? existing.viewFolder;
    existing.downloads = flags?.['downloads'] ?? existing.downloads;
    return DONE;
  });
};

export const removeMember: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const subject = choose.user(state);
  const newOwner = choose.oneIn(3) ? null : choose.user(state);
  const path = `/members/${idOf(state, subject)}${named(state, newOwner)}`;
  return about(home, by, { method: 'DELETE', path }, ({ home: found, member, state: now }) => {
    const existing = memberOf(found, subject);
    if (!existing) return '404 MEMBER_NOT_FOUND';
    if (by !== subject && !manages(member, existing.role)) return FORBIDDEN;
    if (isLastOwner(found, subject)) return CONFLICT;
    if (newOwner !== null && (newOwner === subject || !memberOf(found, newOwner))) return INVALID;
    depart(now, found, subject, newOwner ?? (by === subject ? successor(found, subject) : by));
    return DONE;
  });
};

export const offer: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const subject = choose.user(state);
  const body = { user_id: idOf(state, subject) };
  return about(home, by, { method: 'POST', path: '/transfer', body }, ({ home: found, member }) => {
    if (member.role !== 'OWNER') return FORBIDDEN;
    const existing = memberOf(found, subject);
    if (by === subject || !existing) return INVALID;
    if (existing.role === 'OWNER') return CONFLICT;
    found.transfer = { from: by, to: subject };
    return CREATED;
  });
};

/** Accepts an offer, or cancels it; often where there is one. */
export const answerOffer: Plan = (state, choose) => {
  const offering = state.organizations.filter(({ transfer }) => transfer);
  const home = (choose.oneIn(2) ? undefined : choose.one(offering)) ?? choose.organization(state);
  const accepts = choose.oneIn(2);
  const by = choose.oneIn(2) ? home.transfer?.to : choose.user(state);
  if (by === undefined || (accepts && !home.transfer)) return null;
  const request = accepts
    ? { method: 'POST', path: '/transfer/accept' }
    : { method: 'DELETE', path: '/transfer' };
  return about(home, by, request, ({ home: found, member }) => {
    const { transfer } = found;
    if (!transfer || !(transfer.to === by || (!accepts && member.role === 'OWNER'))) {
      return '404 TRANSFER_NOT_FOUND';
    }
    if (accepts) {
      member.role = 'OWNER';
      memberOf(found, transfer.from)!.role = 'ADMIN';
    }
    found.transfer = null;
    return DONE;
  });
};

/** Users by themselves, or by an operator. */
export const deleteUser: Plan = (state, choose) => {
  const by = choose.caller(state);
  const themselves = choose.oneIn(2);
  const subject = themselves ? by : choose.user(state);
  const newOwner = choose.oneIn(2) ? null : choose.user(state);
  const query = named(state, newOwner);
  const path = themselves
    ? ownDeletion(state.users[by]!.email) + query.replace('?', '&')
    : `/users/${idOf(state, subject)}${query}`;
  return {
    by,
    method: 'DELETE',
    path,
    apply: (now) => {
      if (!themselves && !now.users[by]!.operator) return FORBIDDEN;
      const user = now.users[subject]!;
      if (!user.alive) return '404 NOT_FOUND';
      const homes = now.organizations.filter((home) => memberOf(home, subject));
      const canOwn = (home: ModelOrganization): boolean =>
        newOwner === null || (newOwner !== subject && memberOf(home, newOwner) !== undefined);
      const reasons = [
        ...(homes.some((home) => isLastOwner(home, subject)) ? [CONFLICT] : []),
        ...(homes.every(canOwn) ? [] : [INVALID]),
      ];
      if (reasons.length > 0) return reasons;
      for (const home of homes) {
        const usual = by !== subject && memberOf(home, by) ? by : successor(home, subject);
        depart(now, home, subject, newOwner ?? usual);
      }
      for (const recording of now.recordings) {
        if (recording.home === null && recording.owner === subject) recording.deleted = true;
      }
      for (const home of now.organizations) {
        if (user.verified) home.invitations = home.invitations.filter(({ email }) => email !== user.email);
      }
      user.alive = false;
      return DONE;
    },
  };
};
