import {
  canChange,
  canSee,
  canTake,
  isManager,
  isOpen,
  memberOf,
  organizationOf,
  wouldHide,
  type ModelRecording,
  type State,
} from './model.js';
import { DONE, FORBIDDEN, INVALID, type Choices, type Plan } from './plan.js';

/** As in the body of a request. */
interface Target {
  readonly organization_id?: string | null;
  readonly folder_id?: string | null;
}

const leaves = (subject: ModelRecording, { organization_id: home }: Target): boolean =>
  home !== undefined && home !== subject.home;

/** Every reason for which a recording cannot be moved; empty if it is moved. */
function refusals(state: State, by: number, subject: ModelRecording, target: Target): string[] {
  const { organization_id: home, folder_id: folder } = target;
  const reasons = home === null && folder ? [INVALID] : [];
  if (!canSee(state, by, subject)) return [...reasons, '404 RECORDING_NOT_FOUND'];
  const hides = home === null || (home !== undefined && wouldHide(state, subject, home));
  const forbidden =
    !canChange(state, by, subject) ||
    (leaves(subject, target) && (!canTake(state, by, subject) || (subject.owner !== by && hides)));
  if (forbidden) reasons.push(FORBIDDEN);
  if (folder && home === undefined && subject.home === null) reasons.push(INVALID);
  return reasons;
}

/** Every reason for which nothing can be put there. */
function closed(state: State, by: number, { organization_id: to, folder_id: folder }: Target): string[] {
  if (!to) return [];
  const home = organizationOf(state, to);
  if (!home.alive) return ['404 ORGANIZATION_NOT_FOUND'];
  const member = memberOf(home, by);
  if (!member || member.role === 'VIEWER') return [FORBIDDEN];
  if (!folder) return [];
  const found = home.folders.find((one) => one.id === folder);
  const open = found?.active && (isManager(member) || isOpen(found, by));
  return open ? [] : [INVALID];
}

function carry(state: State, by: number, subject: ModelRecording, target: Target): void {
  const { organization_id: home, folder_id: folder } = target;
  const away = leaves(subject, target);
  if (away && home && !memberOf(organizationOf(state, home), subject.owner)) subject.owner = by;
  if (away) Object.assign(subject, { home, folder: folder ?? null });
  else if (folder !== undefined) subject.folder = folder;
}

/** `from`: where a folder is sought if no organization is chosen. */
function chooseTarget(state: State, choose: Choices, from: string | null): Target {
  const to = choose.one([undefined, null, 0, 1, 2]);
  const home = typeof to === 'number' ? state.organizations[to % state.organizations.length]!.id : to;
  const holder = home === undefined ? from : home;
  const folders = holder === null ? [] : organizationOf(state, holder).folders;
  const usual = choose.one([undefined, null, 'one', 'one', 'one', 'one'] as const);
  const folder = usual === 'one' ? (choose.one(folders)?.id ?? null) : usual;
  if (home === undefined && folder === undefined) return { folder_id: null };
  return {
    ...(home !== undefined && { organization_id: home }),
    ...(folder !== undefined && { folder_id: folder }),
  };
}

export const move: Plan = (state, choose) => {
  const by = choose.caller(state);
  const which = choose.below(state.recordings.length);
  const { id, home } = state.recordings[which]!;
  const given = chooseTarget(state, choose, home);
  return {
    by,
    method: 'PATCH',
    path: `/recordings/${id}`,
    body: given,
    apply: (now) => {
      const found = now.recordings[which]!;
      const inFolder = given.organization_id === undefined && given.folder_id;
      const there = inFolder ? { ...given, organization_id: found.home } : given;
      const reasons = [...refusals(now, by, found, given), ...closed(now, by, there)];
      if (reasons.length > 0) return reasons;
      carry(now, by, found, given);
      return DONE;
    },
  };
};

/** What is done to each of many recordings, and every reason for which it cannot be done to one. */
interface Change {
  readonly refusals: (state: State, subject: ModelRecording) => string[];
  readonly carryOut: (state: State, subject: ModelRecording) => void;
}

function applyToAll(state: State, which: readonly number[], mode: string, change: Change): string[] {
  const subjects = which.map((one) => state.recordings[one]!);
  const reasons = subjects.map((subject) => change.refusals(state, subject));
  if (mode === 'all' && reasons.some((those) => those.length > 0)) return reasons.flat();
  subjects.forEach((subject, at) => {
    if (reasons[at]!.length === 0) change.carryOut(state, subject);
  });
  return [`200 ${reasons.map((those) => (those.length === 0 ? 'done' : 'refused'))}`];
}

/** Between one and five recordings. */
function several({ recordings }: State, choose: Choices) {
  const first = choose.below(recordings.length);
  const which = [...new Set([first, ...choose.some([...recordings.keys()], 4)])];
  return { which, ids: which.map((one) => recordings[one]!.id), mode: choose.one(['all', 'each'] as const) };
}

/** To an organization or to none: a folder alone would mean other folders for other recordings. */
export const moveMany: Plan = (state, choose) => {
  const by = choose.caller(state);
  const { which, ids, mode } = several(state, choose);
  const given = chooseTarget(state, choose, null);
  return {
    by,
    method: 'POST',
    path: '/recordings/bulk',
    body: { ids, mode, action: 'move', ...given },
    apply: (now) => {
      const shut = given.organization_id === null && given.folder_id ? [INVALID] : closed(now, by, given);
      if (shut.length > 0) return shut;
      return applyToAll(now, which, mode, {
        refusals: (held, subject) => refusals(held, by, subject, given),
        carryOut: (held, subject) => carry(held, by, subject, given),
      });
    },
  };
};

/** Deletes one by itself, or several at once. */
export const deleteMany: Plan = (state, choose) => {
  const by = choose.caller(state);
  const { which, ids, mode } = several(state, choose);
  const alone = choose.oneIn(3);
  const request = alone
    ? { method: 'DELETE', path: `/recordings/${ids[0]}` }
    : { method: 'POST', path: '/recordings/bulk', body: { ids, mode, action: 'delete' } };
  return {
    by,
    ...request,
    apply: (now) => {
      const outcomes = applyToAll(now, alone ? which.slice(0, 1) : which, alone ? 'all' : mode, {
        refusals: (held, subject) => {
          if (!canSee(held, by, subject)) return ['404 RECORDING_NOT_FOUND'];
          return canChange(held, by, subject) ? [] : [FORBIDDEN];
        },
        carryOut: (_, subject) => (subject.deleted = true),
      });
      return alone && outcomes[0] === '200 done' ? DONE : outcomes;
    },
  };
};
