import { constantFrom, nat, record, uniqueArray, type Arbitrary } from 'fast-check';
import {
  canChange,
  canSee,
  canTake,
  isManager,
  isOpen,
  memberOf,
  organizationOf,
  type ModelRecording,
  type State,
  wouldHide,
} from './model.js';
import { anyone, called, DONE, organizationAt, pick, some, userAt, type Action } from './prepared.js';

/** Of a sequence; `founded` makes as many. */
export const RECORDINGS = 8;

const recording = nat(RECORDINGS - 1);

/** `undefined`: not sent. */
interface Target {
  readonly home?: string | null;
  readonly folder?: string | null;
}

/** Every reason for which a recording cannot be moved; empty if it is moved. */
function refusals(state: State, by: number, subject: ModelRecording, { home, folder }: Target): string[] {
  const reasons: string[] = [];
  if (home === null && folder) reasons.push('400 VALIDATION_ERROR');
  if (!canSee(state, by, subject)) return [...reasons, '404 RECORDING_NOT_FOUND'];
  if (!canChange(state, by, subject)) reasons.push('403 FORBIDDEN');
  const leaves = home !== undefined && home !== subject.home;
  if (leaves && !canTake(state, by, subject)) reasons.push('403 FORBIDDEN');
  if (leaves && subject.owner !== by && (home === null || wouldHide(state, subject, home))) {
    reasons.push('403 FORBIDDEN');
  }
  if (folder && home === undefined && subject.home === null) reasons.push('400 VALIDATION_ERROR');
  return reasons;
}

/** Every reason for which nothing can be put there. */
function closed(
  state: State,
  by: number,
  to: string | null | undefined,
  folder: string | null | undefined,
): string[] {
  if (!to) return [];
  const home = organizationOf(state, to);
  if (!home.alive) return ['404 ORGANIZATION_NOT_FOUND'];
  const member = memberOf(home, by);
  if (!member || member.role === 'VIEWER') return ['403 FORBIDDEN'];
  if (!folder) return [];
  const found = home.folders.find((one) => one.id === folder);
  const open = found?.active && (isManager(member) || isOpen(found, by));
  return open ? [] : ['400 VALIDATION_ERROR'];
}

function carry(state: State, by: number, subject: ModelRecording, { home, folder }: Target): void {
  const leaves = home !== undefined && home !== subject.home;
  if (leaves && home !== null && !memberOf(organizationOf(state, home), subject.owner)) subject.owner = by;
  if (leaves) Object.assign(subject, { home, folder: folder ?? null });
  else if (folder !== undefined) subject.folder = folder;
}

const target = record({
  to: constantFrom(undefined, null, 0, 1, 2),
  folder: constantFrom(undefined, null, 0, 1, 2, 3),
}).filter(({ to, folder }) => to !== undefined || folder !== undefined);

function targetOf(
  state: State,
  from: string | null,
  { to, folder }: { to?: number | null; folder?: number | null },
): { readonly given: Target; readonly body: object } {
  const home = typeof to === 'number' ? organizationAt(state, to).id : to;
  const holder = home === undefined ? from : home;
  const folders = holder === null ? [] : organizationOf(state, holder).folders;
  const chosen = typeof folder === 'number' ? (pick(folders, folder)?.id ?? null) : folder;
  const given: Target = {
    ...(home !== undefined && { home }),
    ...(chosen !== undefined && { folder: chosen }),
  };
  const body = {
    ...(home !== undefined && { organization_id: home }),
    ...(chosen !== undefined && { folder_id: chosen }),
  };
  return { given, body };
}

export const move: Arbitrary<Action> = record({ caller: anyone, which: recording, where: target }).map(
  ({ caller, which, where }): Action =>
    (state) => {
      const by = userAt(state, caller);
      const subject = state.recordings[which]!;
      const { given, body } = targetOf(state, subject.home, where);
      return {
        by,
        text: `${called(by)} moves ${which}: ${JSON.stringify(body)}`,
        method: 'PATCH',
        path: `/recordings/${subject.id}`,
        body,
        apply: (now) => {
          const found = now.recordings[which]!;
          const holder = given.home === undefined && given.folder ? found.home : given.home;
          const reasons = [...refusals(now, by, found, given), ...closed(now, by, holder, given.folder)];
          if (reasons.length > 0) return reasons;
          carry(now, by, found, given);
          return DONE;
        },
      };
    },
);

/** What is done to each of many recordings, and every reason for which it cannot be done to one. */
interface Change {
  readonly refusals: (state: State, subject: ModelRecording) => string[];
  readonly carryOut: (state: State, subject: ModelRecording) => void;
}

function applyToAll(state: State, which: readonly number[], mode: string, change: Change): string[] {
  const subjects = which.map((one) => state.recordings[one]!);
  const reasons = subjects.map((subject) => change.refusals(state, subject));
  const refused = reasons.filter((those) => those.length > 0);
  if (mode === 'all' && refused.length > 0) return refused.flat();
  subjects.forEach((subject, at) => {
    if (reasons[at]!.length === 0) change.carryOut(state, subject);
  });
  return [`200 ${reasons.map((those) => (those.length === 0 ? 'done' : 'refused'))}`];
}

const many = {
  caller: anyone,
  which: uniqueArray(recording, { minLength: 1, maxLength: 5 }),
  mode: constantFrom('all', 'each'),
};

/** To an organization or to none: a folder alone would mean other folders for other recordings. */
export const moveMany: Arbitrary<Action> = record({
  ...many,
  where: target.filter(({ to, folder }) => to !== undefined || folder === null),
}).map(({ caller, which, where, mode }): Action => (state) => {
  const by = userAt(state, caller);
  const { given, body } = targetOf(state, null, where);
  const ids = which.map((one) => state.recordings[one]!.id);
  return {
    by,
    text: `${called(by)} moves ${which} (${mode}): ${JSON.stringify(body)}`,
    method: 'POST',
    path: '/recordings/bulk',
    body: { ids, mode, action: 'move', ...body },
    apply: (now) => {
      const shut = closed(now, by, given.home, given.folder);
      if (given.home === null && given.folder) shut.push('400 VALIDATION_ERROR');
      if (shut.length > 0) return shut;
      return applyToAll(now, which, mode, {
        refusals: (held, subject) => refusals(held, by, subject, given),
        carryOut: (held, subject) => carry(held, by, subject, given),
      });
    },
  };
});

/** Deletes one by itself, or several at once. */
export const deleteMany: Arbitrary<Action> = record({ ...many, alone: some.map((n) => n < 4) }).map(
  ({ caller, which, mode, alone }): Action =>
    (state) => {
      const by = userAt(state, caller);
      const chosen = alone ? which.slice(0, 1) : which;
      const ids = chosen.map((one) => state.recordings[one]!.id);
      const request = alone
        ? { method: 'DELETE', path: `/recordings/${ids[0]}` }
        : { method: 'POST', path: '/recordings/bulk', body: { ids, mode, action: 'delete' } };
      return {
        by,
        text: `${called(by)} deletes ${chosen} (${alone ? 'alone' : mode})`,
        ...request,
        apply: (now) => {
          const outcomes = applyToAll(now, chosen, alone ? 'all' : mode, {
            refusals: (held, subject) => {
              if (!canSee(held, by, subject)) return ['404 RECORDING_NOT_FOUND'];
              return canChange(held, by, subject) ? [] : ['403 FORBIDDEN'];
            },
            carryOut: (_, subject) => (subject.deleted = true),
          });
          return alone && outcomes[0] === '200 done' ? DONE : outcomes;
        },
      };
    },
);
