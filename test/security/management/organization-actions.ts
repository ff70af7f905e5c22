import { boolean, constantFrom, record, type Arbitrary } from 'fast-check';
import { close, join, memberOf, organizationOf, PLANS } from './model.js';
import {
  anyone,
  anyOrganization,
  called,
  CREATED,
  DONE,
  inOrganization,
  organizationAt,
  userAt,
  userOf,
  type Action,
} from './prepared.js';

export const create: Arbitrary<Action> = record({ caller: anyone }).map(({ caller }): Action => (state) => {
  const by = userAt(state, caller);
  return {
    by,
    text: `${called(by)} creates an organization`,
    method: 'POST',
    path: '/organizations',
    body: { name: 'Created' },
    apply: (now, reply) => {
      const created = {
        id: reply.body.data?.id,
        alive: true,
        plan: 'PRO' as const,
        downloads: true,
        membersMayTake: false,
        members: [],
        folders: [],
        invitations: [],
        transfer: null,
      };
      join(created, by, 'OWNER');
      now.organizations.push(created);
      return CREATED;
    },
  };
});

export const changeFeatures: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  downloads: boolean(),
}).map(({ caller, at, downloads }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const text = `${called(by)} sets downloads of ${home.id} to ${downloads}`;
  const path = `/organizations/${home.id}`;
  const body = { features: { downloads } };
  return inOrganization(home, { by, text, method: 'PATCH', path, body }, (found) => {
    if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
    found.downloads = downloads;
    return DONE;
  });
});

export const permitTaking: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  allowed: boolean(),
}).map(({ caller, at, allowed }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const text = `${called(by)} sets what members may take of ${home.id} to ${allowed}`;
  const path = `/organizations/${home.id}`;
  const body = { members_may_take_recordings: allowed };
  return inOrganization(home, { by, text, method: 'PATCH', path, body }, (found) => {
    if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
    found.membersMayTake = allowed;
    return DONE;
  });
});

/** By operators, who need not be members. */
export const changePlan: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  plan: constantFrom(...PLANS),
}).map(({ caller, at, plan }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  return {
    by,
    text: `${called(by)} sets the plan of ${home.id} to ${plan}`,
    method: 'PATCH',
    path: `/organizations/${home.id}`,
    body: { plan },
    apply: (now) => {
      const found = organizationOf(now, home.id);
      if (!found.alive) return ['404 ORGANIZATION_NOT_FOUND'];
      if (!userOf(now, by).operator) return ['403 FORBIDDEN'];
      found.plan = plan;
      return DONE;
    },
  };
});

/** Seldom together with its recordings, of which the sequence has few. */
export const deleteOrganization: Arbitrary<Action> = record({
  caller: anyone,
  at: anyOrganization,
  withRecordings: constantFrom(false, false, true),
}).map(({ caller, at, withRecordings }): Action => (state) => {
  const home = organizationAt(state, at);
  const by = userAt(state, caller);
  const text = `${called(by)} deletes ${home.id}${withRecordings ? ' with its recordings' : ''}`;
  const path = `/organizations/${home.id}${withRecordings ? '?recordings=delete' : ''}`;
  return inOrganization(home, { by, text, method: 'DELETE', path }, (found, all) => {
    if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
    const holds = all.recordings.some(({ home: where, deleted }) => where === home.id && !deleted);
    if (holds && !withRecordings) return ['409 CONFLICT'];
    close(all, found);
    return DONE;
  });
});
