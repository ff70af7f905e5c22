import { boolean, constantFrom, option, record, type Arbitrary } from 'fast-check';
import { depart, endTransferOf, isLastOwner, manages, memberOf, ROLES, successor } from './model.js';
import {
  anyone,
  anyOrganization,
  called,
  CREATED,
  DONE,
  inOrganization,
  organizationAt,
  some,
  userAt,
  userOf,
  type Action,
} from './prepared.js';

const flag = record({
  name: constantFrom('view_all_recordings', 'view_folder_recordings', 'downloads'),
  value: boolean(),
}).map(({ name, value }): { readonly [flag: string]: boolean } => ({ [name]: value }));

export const changeMember: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  member: some,
  to: option(constantFrom(...ROLES)),
  flags: option(flag),
})
  .filter(({ to, flags }) => to !== null || flags !== null)
  .map(({ caller, at, member, to, flags }): Action => (state) => {
    const home = organizationAt(state, at);
    const [by, subject] = [userAt(state, caller), userAt(state, member)];
    const path = `/organizations/${home.id}/members/${userOf(state, subject).id}`;
    const body = { ...(to && { role: to }), ...(flags && { features: flags }) };
    const text = `${called(by)} changes ${called(subject)} in ${home.id}: ${JSON.stringify(body)}`;
    return inOrganization(home, { by, text, method: 'PATCH', path, body }, (found) => {
      const existing = memberOf(found, subject);
      if (!existing) return ['404 MEMBER_NOT_FOUND'];
      const callers = memberOf(found, by)!;
      const allowed =
        by === subject
          ? ROLES.indexOf(to ?? existing.role) >= ROLES.indexOf(existing.role) &&
            (!flags || existing.role === 'OWNER')
          : manages(callers, existing.role) && manages(callers, to ?? existing.role);
      if (!allowed) return ['403 FORBIDDEN'];
      if (to && to !== 'OWNER' && isLastOwner(found, subject)) return ['409 CONFLICT'];
      if (to && to !== existing.role) endTransferOf(found, subject);
      existing.role = to ?? existing.role;
      const given = flags ?? {};
      existing.viewAll = given['view_all_recordings'] ?? existing.viewAll;
      existing.viewFolder = given['view_folder_recordings'] ?? existing.viewFolder;
      existing.downloads = given['downloads'] ?? existing.downloads;
      return DONE;
    });
  });

export const removeMember: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  member: some,
  named: option(some, { freq: 3 }),
}).map(({ caller, at, member, named }): Action => (state) => {
  const home = organizationAt(state, at);
  const [by, subject] = [userAt(state, caller), userAt(state, member)];
  const newOwner = named === null ? null : userAt(state, named);
  const query = newOwner === null ? '' : `?new_owner=${userOf(state, newOwner).id}`;
  const path = `/organizations/${home.id}/members/${userOf(state, subject).id}${query}`;
  const text = `${called(by)} removes ${called(subject)} from ${home.id}, new owner ${newOwner}`;
  return inOrganization(home, { by, text, method: 'DELETE', path }, (found, all) => {
    const existing = memberOf(found, subject);
    if (!existing) return ['404 MEMBER_NOT_FOUND'];
    if (by !== subject && !manages(memberOf(found, by), existing.role)) return ['403 FORBIDDEN'];
    if (isLastOwner(found, subject)) return ['409 CONFLICT'];
    if (newOwner !== null && (newOwner === subject || !memberOf(found, newOwner))) {
      return ['400 VALIDATION_ERROR'];
    }
    depart(all, found, subject, newOwner ?? (by === subject ? successor(found, subject) : by));
    return DONE;
  });
});

export const offer: Arbitrary<Action> = record({ caller: anyone, at: anyOrganization, member: some }).map(
  ({ caller, at, member }): Action =>
    (state) => {
      const home = organizationAt(state, at);
      const [by, subject] = [userAt(state, caller), userAt(state, member)];
      const path = `/organizations/${home.id}/transfer`;
      const text = `${called(by)} offers ${home.id} to ${called(subject)}`;
      const body = { user_id: userOf(state, subject).id };
      return inOrganization(home, { by, text, method: 'POST', path, body }, (found) => {
        if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
        const existing = memberOf(found, subject);
        if (by === subject || !existing) return ['400 VALIDATION_ERROR'];
        if (existing.role === 'OWNER') return ['409 CONFLICT'];
        found.transfer = { from: by, to: subject };
        return CREATED;
      });
    },
);

export const answerOffer: Arbitrary<Action> = record({
  caller: option(some, { freq: 2 }),
  at: anyOrganization,
  takes: boolean(),
}).map(({ caller, at, takes }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = caller === null ? home.transfer?.to : userAt(state, caller);
  if (by === undefined || (takes && !home.transfer)) return null;
  const path = `/organizations/${home.id}/transfer${takes ? '/accept' : ''}`;
  const text = `${called(by)} ${takes ? 'accepts' : 'cancels'} the transfer of ${home.id}`;
  const method = takes ? 'POST' : 'DELETE';
  return inOrganization(home, { by, text, method, path }, (found) => {
    const callers = memberOf(found, by)!;
    const isTo = found.transfer?.to === by;
    if (!found.transfer || !(isTo || (!takes && callers.role === 'OWNER'))) {
      return ['404 TRANSFER_NOT_FOUND'];
    }
    if (takes) {
      callers.role = 'OWNER';
      memberOf(found, found.transfer.from)!.role = 'ADMIN';
    }
    found.transfer = null;
    return DONE;
  });
});
