import { id } from '../../factories/workspace.js';
import { accept, changeInvitation, invite } from './invitation-requests.js';
import { answerOffer, changeMember, deleteUser, offer, removeMember } from './member-requests.js';
import {
  close,
  isManager,
  join,
  memberOf,
  newOrganization,
  organizationOf,
  PLANS,
  type State,
} from './model.js';
import {
  about,
  CONFLICT,
  CREATED,
  DONE,
  FORBIDDEN,
  idOf,
  INVALID,
  place,
  type Choices,
  type Plan,
} from './plan.js';
import { deleteMany, move, moveMany } from './recording-requests.js';

/** Now and then by somebody who is gone, as nobody else is refused. */
const create: Plan = (state, choose) => {
  const gone = state.users.findIndex(({ alive }) => !alive);
  const by = gone >= 0 && choose.oneIn(3) ? gone : choose.caller(state);
  return {
    by,
    method: 'POST',
    path: '/organizations',
    body: { name: 'Created' },
    apply: (now, reply) => {
      const home = newOrganization(reply.body.data?.id, 'PRO');
      join(home, by, 'OWNER');
      now.organizations.push(home);
      return CREATED;
    },
  };
};

const changeFeatures: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const downloads = choose.oneIn(2);
  const body = { features: { downloads } };
  return about(home, by, { method: 'PATCH', path: '', body }, ({ home: found, member }) => {
    if (member.role !== 'OWNER') return FORBIDDEN;
    found.downloads = downloads;
    return DONE;
  });
};

const permitTaking: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const allowed = choose.oneIn(2);
  const body = { members_may_take_recordings: allowed };
  return about(home, by, { method: 'PATCH', path: '', body }, ({ home: found, member }) => {
    if (member.role !== 'OWNER') return FORBIDDEN;
    found.membersMayTake = allowed;
    return DONE;
  });
};

/** By operators, who need not be members. */
const changePlan: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const plan = choose.one(PLANS);
  return {
    by,
    method: 'PATCH',
    path: `/organizations/${home.id}`,
    body: { plan },
    apply: (now) => {
      const found = organizationOf(now, home.id);
      if (!found.alive) return '404 ORGANIZATION_NOT_FOUND';
      if (!now.users[by]!.operator) return FORBIDDEN;
      found.plan = plan;
      return DONE;
    },
  };
};

/** Seldom together with its recordings, of which the sequence has few. */
const deleteOrganization: Plan = (state, choose) => {
  const home = choose.one(state.organizations)!;
  const by = (choose.oneIn(2) ? undefined : home.members[0]?.who) ?? choose.caller(state);
  const withRecordings = choose.oneIn(3);
  const path = withRecordings ? '?recordings=delete' : '';
  return about(home, by, { method: 'DELETE', path }, ({ home: found, member, state: now }) => {
    if (member.role !== 'OWNER') return FORBIDDEN;
    const holds = now.recordings.some((one) => one.home === home.id && !one.deleted);
    if (holds && !withRecordings) return CONFLICT;
    close(now, found);
    return DONE;
  });
};

/** Members to whom a folder is restricted; null: open to all. */
function people(state: State, choose: Choices): { readonly named: number[] | null; readonly ids: object } {
  const chosen = choose.oneIn(6) ? null : choose.some([...state.users.keys()], 3);
  return { named: chosen, ids: { restricted_to: chosen && chosen.map((who) => idOf(state, who)) } };
}

const addFolder: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const { named: members, ids } = people(state, choose);
  const body = { name: id(), ...ids };
  return about(home, by, { method: 'POST', path: '/folders', body }, ({ home: found, member, reply }) => {
    if (!isManager(member)) return FORBIDDEN;
    if (members?.some((one) => !memberOf(found, one))) return INVALID;
    found.folders.push({ id: reply.body.data?.id, active: true, named: members && [...members] });
    return CREATED;
  });
};

/** Restricts or opens a folder, turns it off or on, or deletes it. */
const changeFolder: Plan = (state, choose) => {
  const [home, by] = place(state, choose);
  const folder = choose.one(home.folders);
  if (!folder) return null;
  const what = choose.one(['people', 'active', 'delete'] as const);
  const { named: members, ids } = people(state, choose);
  const active = choose.oneIn(2);
  const request = {
    delete: { method: 'DELETE' },
    active: { method: 'PATCH', body: { is_active: active } },
    people: { method: 'PATCH', body: ids },
  }[what];
  const path = `/folders/${folder.id}`;
  return about(home, by, { ...request, path }, ({ home: found, member, state: now }) => {
    if (!isManager(member)) return FORBIDDEN;
    const existing = found.folders.find((one) => one.id === folder.id);
    if (!existing) return '404 FOLDER_NOT_FOUND';
    if (what === 'active') existing.active = active;
    if (what === 'people') {
      if (members?.some((one) => !memberOf(found, one))) return INVALID;
      existing.named = members && [...members];
    }
    if (what === 'delete') {
      found.folders = found.folders.filter((one) => one !== existing);
      for (const recording of now.recordings) {
        if (recording.folder === folder.id) recording.folder = null;
      }
    }
    return DONE;
  });
};

/** Any management of organizations, users and where recordings belong. What ends something is rare. */
const WEIGHTS: readonly (readonly [weight: number, plan: Plan])[] = [
  [6, changeMember],
  [4, removeMember],
  [4, invite],
  [2, changeInvitation],
  [8, accept],
  [2, offer],
  [5, answerOffer],
  [2, addFolder],
  [6, changeFolder],
  [1, create],
  [1, changeFeatures],
  [2, permitTaking],
  [1, changePlan],
  [1, deleteOrganization],
  [5, move],
  [3, moveMany],
  [1, deleteMany],
  [2, deleteUser],
];
const PLANNED = WEIGHTS.flatMap(([weight, plan]) => Array.from({ length: weight }, () => plan));

export const anyRequest: Plan = (state, choose) => choose.one(PLANNED)!(state, choose);
