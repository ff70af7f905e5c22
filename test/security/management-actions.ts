import {
  constantFrom,
  nat,
  oneof,
  option,
  record,
  uniqueArray,
  constant,
  boolean,
  type Arbitrary,
} from 'fast-check';
import { emailOf, id } from '../factories/workspace.js';
import type { Reply } from '../support/client.js';
import {
  canChange,
  canSee,
  depart,
  endTransferOf,
  isLastOwner,
  isManager,
  isOpen,
  manages,
  memberOf,
  organizationOf,
  ROLES,
  successor,
  type ModelOrganization,
  type ModelRecording,
  type State,
} from './management-model.js';

export const NAMES = ['Mia', 'Noa', 'Oda', 'Pia', 'Rex'];

/** A request, and what it may lead to. */
export interface Prepared {
  readonly by: number;
  readonly text: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  /** Carries it out in the model. Returns the outcomes that are right in that state: one if it is done, reasons otherwise. */
  apply(state: State, reply: Reply): readonly string[];
}

/** Turns an action into a request, by what exists before the round; null if what it is about does not exist. */
export type Action = (state: State, users: readonly string[]) => Prepared | null;

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length];

const DONE = ['200'];
const CREATED = ['201'];
const who = nat(NAMES.length - 1);
/** Often the first user, who begins as an OWNER of both: requests of others are mostly refused. */
const anyone = oneof({ weight: 2, arbitrary: constant(0) }, { weight: 3, arbitrary: who });
/** Of however many there are. */
const some = nat(11);
const organization = nat(1);
const role = constantFrom(...ROLES);

/** A request about an organization: refused alike if it is gone, or the caller is no member. */
function inOrganization(
  home: ModelOrganization,
  request: Omit<Prepared, 'apply'>,
  apply: (home: ModelOrganization, state: State, reply: Reply) => readonly string[],
): Prepared {
  return {
    ...request,
    apply: (state, reply) => {
      const found = organizationOf(state, home.id);
      if (!found.alive) return ['404 ORGANIZATION_NOT_FOUND'];
      if (!memberOf(found, request.by)) return ['403 FORBIDDEN'];
      return apply(found, state, reply);
    },
  };
}

const changeMember: Arbitrary<Action> = record({
  by: anyone,
  at: organization,
  subject: who,
  to: option(role),
  flags: option(
    record({
      name: constantFrom('view_all_recordings', 'view_folder_recordings', 'downloads'),
      value: boolean(),
    }).map(({ name, value }): { readonly [flag: string]: boolean } => ({ [name]: value })),
  ),
})
  .filter(({ to, flags }) => to !== null || flags !== null)
  .map(({ by, at, subject, to, flags }): Action => (state, users) => {
    const home = state.organizations[at]!;
    const path = `/organizations/${home.id}/members/${users[subject]}`;
    const body = { ...(to && { role: to }), ...(flags && { features: flags }) };
    const text = `${NAMES[by]} changes ${NAMES[subject]} in ${at}: ${JSON.stringify(body)}`;
    return inOrganization(home, { by, text, method: 'PATCH', path, body }, (found) => {
      const member = memberOf(found, subject);
      if (!member) return ['404 MEMBER_NOT_FOUND'];
      const caller = memberOf(found, by)!;
      const allowed =
        by === subject
          ? ROLES.indexOf(to ?? member.role) >= ROLES.indexOf(member.role) &&
            (!flags || member.role === 'OWNER')
          : manages(caller, member.role) && manages(caller, to ?? member.role);
      if (!allowed) return ['403 FORBIDDEN'];
      if (to && to !== 'OWNER' && isLastOwner(found, subject)) return ['409 CONFLICT'];
      if (to && to !== member.role) endTransferOf(found, subject);
      member.role = to ?? member.role;
      const given = flags ?? {};
      member.viewAll = given['view_all_recordings'] ?? member.viewAll;
      member.viewFolder = given['view_folder_recordings'] ?? member.viewFolder;
      member.downloads = given['downloads'] ?? member.downloads;
      return DONE;
    });
  });

const removeMember: Arbitrary<Action> = record({
  by: anyone,
  at: organization,
  subject: who,
  newOwner: option(who, { freq: 3 }),
}).map(({ by, at, subject, newOwner }): Action => (state, users) => {
  const home = state.organizations[at]!;
  const named = newOwner === null ? '' : `?new_owner=${users[newOwner]}`;
  const path = `/organizations/${home.id}/members/${users[subject]}${named}`;
  const text = `${NAMES[by]} removes ${NAMES[subject]} from ${at}, new owner ${newOwner}`;
  return inOrganization(home, { by, text, method: 'DELETE', path }, (found, all) => {
    const member = memberOf(found, subject);
    if (!member) return ['404 MEMBER_NOT_FOUND'];
    if (by !== subject && !manages(memberOf(found, by), member.role)) return ['403 FORBIDDEN'];
    if (isLastOwner(found, subject)) return ['409 CONFLICT'];
    if (newOwner !== null && (newOwner === subject || !memberOf(found, newOwner)))
      return ['400 VALIDATION_ERROR'];
    depart(all, found, subject, newOwner ?? (by === subject ? successor(found, subject) : by));
    return DONE;
  });
});

const invite: Arbitrary<Action> = record({
  by: anyone,
  at: organization,
  chosen: option(who, { freq: 2 }),
  stranger: some,
  as: role,
  folder: option(some, { freq: 2 }),
}).map(({ by, at, chosen, stranger, as, folder }): Action => (state) => {
  const home = state.organizations[at]!;
  const strangers = [...NAMES.keys()].filter((one) => !memberOf(home, one));
  const subject = chosen ?? pick(strangers, stranger) ?? by;
  const restricted = home.folders.filter(({ named: to }, index) => to !== null || index === 0);
  const folders = (folder === null ? [] : [pick(restricted, folder)]).flatMap((one) => one?.id ?? []);
  const body = { email: emailOf(NAMES[subject]!), role: as, folder_ids: folders };
  const text = `${NAMES[by]} invites ${NAMES[subject]} to ${at} as ${as}, folders ${folders}`;
  const path = `/organizations/${home.id}/invitations`;
  return inOrganization(home, { by, text, method: 'POST', path, body }, (found, _, reply) => {
    if (!manages(memberOf(found, by), as)) return ['403 FORBIDDEN'];
    const reasons: string[] = [];
    if (memberOf(found, subject) || found.invitations.some((one) => one.who === subject)) {
      reasons.push('409 CONFLICT');
    }
    const usable = found.folders.filter(({ active, named }) => active && named !== null);
    if (folders.some((given) => !usable.some((one) => one.id === given))) {
      reasons.push('400 VALIDATION_ERROR');
    }
    if (reasons.length > 0) return reasons;
    const { id: invitation, invite_token: token } = reply.body.data ?? {};
    found.invitations.push({ id: invitation, token, who: subject, role: as, by, folders });
    return CREATED;
  });
});

const withdraw: Arbitrary<Action> = record({ by: anyone, at: organization, which: some }).map(
  ({ by, at, which }): Action =>
    (state) => {
      const home = state.organizations[at]!;
      const invitation = pick(home.invitations, which);
      if (!invitation) return null;
      const path = `/organizations/${home.id}/invitations/${invitation.id}`;
      const text = `${NAMES[by]} withdraws invitation ${which} of ${at}`;
      return inOrganization(home, { by, text, method: 'DELETE', path }, (found) => {
        if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
        const open = found.invitations.find(({ id: given }) => given === invitation.id);
        if (!open) return ['404 INVITATION_NOT_FOUND'];
        if (!manages(memberOf(found, by), open.role)) return ['403 FORBIDDEN'];
        found.invitations = found.invitations.filter((one) => one !== open);
        return DONE;
      });
    },
);

const accept: Arbitrary<Action> = record({
  stranger: oneof({ weight: 6, arbitrary: constant(null) }, { weight: 1, arbitrary: who }),
  at: organization,
  which: some,
}).map(({ stranger, at, which }): Action => (state) => {
  const home = state.organizations[at]!;
  const invitation = pick(home.invitations, which);
  if (!invitation) return null;
  const by = stranger ?? invitation.who;
  return {
    by,
    text: `${NAMES[by]} accepts invitation ${which} of ${at}`,
    method: 'POST',
    path: '/invitations/accept',
    body: { token: invitation.token },
    apply: (now) => {
      const found = organizationOf(now, home.id);
      const open = found.invitations.find(({ token }) => token === invitation.token);
      if (!open || !manages(memberOf(found, open.by), open.role)) return ['404 INVITATION_NOT_FOUND'];
      if (by !== open.who) return ['403 FORBIDDEN'];
      found.invitations = found.invitations.filter((one) => one !== open);
      const flags = { viewAll: false, viewFolder: true, downloads: true };
      found.members.push({ who: by, role: open.role, ...flags });
      for (const folder of found.folders) {
        if (open.folders.includes(folder.id)) folder.named?.push(by);
      }
      return CREATED;
    },
  };
});

const offer: Arbitrary<Action> = record({ by: anyone, at: organization, subject: who }).map(
  ({ by, at, subject }): Action =>
    (state, users) => {
      const home = state.organizations[at]!;
      const path = `/organizations/${home.id}/transfer`;
      const text = `${NAMES[by]} offers ${at} to ${NAMES[subject]}`;
      const body = { user_id: users[subject] };
      return inOrganization(home, { by, text, method: 'POST', path, body }, (found) => {
        if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
        const member = memberOf(found, subject);
        if (by === subject || !member) return ['400 VALIDATION_ERROR'];
        if (member.role === 'OWNER') return ['409 CONFLICT'];
        found.transfer = { from: by, to: subject };
        return CREATED;
      });
    },
);

const answerOffer: Arbitrary<Action> = record({
  by: option(who, { freq: 2 }),
  at: organization,
  takes: boolean(),
}).map(({ by: someone, at, takes }): Action => (state) => {
  const home = state.organizations[at]!;
  const by = someone ?? home.transfer?.to;
  if (by === undefined || (takes && !home.transfer)) return null;
  const path = `/organizations/${home.id}/transfer${takes ? '/accept' : ''}`;
  const text = `${NAMES[by]} ${takes ? 'accepts' : 'cancels'} the transfer of ${at}`;
  const method = takes ? 'POST' : 'DELETE';
  return inOrganization(home, { by, text, method, path }, (found) => {
    const caller = memberOf(found, by)!;
    const isTo = found.transfer?.to === by;
    if (!found.transfer || !(isTo || (!takes && caller.role === 'OWNER'))) {
      return ['404 TRANSFER_NOT_FOUND'];
    }
    if (takes) {
      caller.role = 'OWNER';
      memberOf(found, found.transfer.from)!.role = 'ADMIN';
    }
    found.transfer = null;
    return DONE;
  });
});

const named = option(uniqueArray(who, { maxLength: 3 }));

const addFolder: Arbitrary<Action> = record({ by: anyone, at: organization, to: named }).map(
  ({ by, at, to }): Action =>
    (state, users) => {
      const home = state.organizations[at]!;
      const body = { name: id(), restricted_to: to && to.map((one) => users[one]) };
      const text = `${NAMES[by]} adds a folder to ${at} for ${to}`;
      const path = `/organizations/${home.id}/folders`;
      return inOrganization(home, { by, text, method: 'POST', path, body }, (found, _, reply) => {
        if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
        if (to?.some((one) => !memberOf(found, one))) return ['400 VALIDATION_ERROR'];
        found.folders.push({ id: reply.body.data?.id, active: true, named: to && [...to] });
        return CREATED;
      });
    },
);

const changeFolder: Arbitrary<Action> = record({
  by: anyone,
  at: organization,
  which: some,
  change: oneof(record({ active: boolean() }), record({ to: named }), constant<'delete'>('delete')),
}).map(({ by, at, which, change }): Action => (state, users) => {
  const home = state.organizations[at]!;
  const folder = pick(home.folders, which);
  if (!folder) return null;
  const path = `/organizations/${home.id}/folders/${folder.id}`;
  const text = `${NAMES[by]} changes folder ${which} of ${at}: ${JSON.stringify(change)}`;
  const method = change === 'delete' ? 'DELETE' : 'PATCH';
  const body = bodyOfFolder(change, users);
  return inOrganization(home, { by, text, method, path, body }, (found, all) => {
    if (!isManager(memberOf(found, by))) return ['403 FORBIDDEN'];
    const existing = found.folders.find(({ id: given }) => given === folder.id);
    if (!existing) return ['404 FOLDER_NOT_FOUND'];
    if (change === 'delete') {
      found.folders = found.folders.filter((one) => one !== existing);
      for (const recording of all.recordings) {
        if (recording.folder === folder.id) recording.folder = null;
      }
      return DONE;
    }
    if ('active' in change) existing.active = change.active;
    else if (change.to?.some((one) => !memberOf(found, one))) return ['400 VALIDATION_ERROR'];
    else existing.named = change.to && [...change.to];
    return DONE;
  });
});

function bodyOfFolder(
  change: 'delete' | { active: boolean } | { to: number[] | null },
  users: readonly string[],
): object | undefined {
  if (change === 'delete') return undefined;
  if ('active' in change) return { is_active: change.active };
  return { restricted_to: change.to && change.to.map((one) => users[one]) };
}

const features: Arbitrary<Action> = record({ by: anyone, at: organization, downloads: boolean() }).map(
  ({ by, at, downloads }): Action =>
    (state) => {
      const home = state.organizations[at]!;
      const text = `${NAMES[by]} sets downloads of ${at} to ${downloads}`;
      const path = `/organizations/${home.id}`;
      const body = { features: { downloads } };
      return inOrganization(home, { by, text, method: 'PATCH', path, body }, (found) => {
        if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
        found.downloads = downloads;
        return DONE;
      });
    },
);

const deleteOrganization: Arbitrary<Action> = record({ by: anyone, at: organization }).map(
  ({ by, at }): Action =>
    (state) => {
      const home = state.organizations[at]!;
      const text = `${NAMES[by]} deletes ${at}`;
      const path = `/organizations/${home.id}`;
      return inOrganization(home, { by, text, method: 'DELETE', path }, (found, all) => {
        if (memberOf(found, by)?.role !== 'OWNER') return ['403 FORBIDDEN'];
        if (all.recordings.some((recording) => recording.home === home.id)) return ['409 CONFLICT'];
        Object.assign(found, { alive: false, members: [], folders: [], invitations: [], transfer: null });
        return DONE;
      });
    },
);

/** `undefined`: not sent. */
interface Target {
  readonly home?: string | null;
  readonly folder?: string | null;
}

/** Every reason for which a recording cannot be moved; empty if it is moved. */
function refusals(state: State, by: number, recording: ModelRecording, { home, folder }: Target): string[] {
  const reasons: string[] = [];
  if (home === null && folder) reasons.push('400 VALIDATION_ERROR');
  if (!canSee(state, by, recording)) return [...reasons, '404 RECORDING_NOT_FOUND'];
  if (!canChange(state, by, recording)) reasons.push('403 FORBIDDEN');
  const leaves = home !== undefined && home !== recording.home;
  if (leaves && home === null && recording.owner !== by) reasons.push('403 FORBIDDEN');
  if (folder && home === undefined && recording.home === null) reasons.push('400 VALIDATION_ERROR');
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

function carry(state: State, by: number, recording: ModelRecording, { home, folder }: Target): void {
  const leaves = home !== undefined && home !== recording.home;
  if (leaves && home !== null && !memberOf(organizationOf(state, home), recording.owner))
    recording.owner = by;
  if (leaves) Object.assign(recording, { home, folder: folder ?? null });
  else if (folder !== undefined) recording.folder = folder;
}

const target = record({
  to: constantFrom(undefined, null, 0, 1),
  folder: constantFrom(undefined, null, 0, 1, 2, 3),
}).filter(({ to, folder }) => to !== undefined || folder !== undefined);

function targetOf(
  state: State,
  from: string | null,
  { to, folder }: { to?: number | null; folder?: number | null },
) {
  const home = typeof to === 'number' ? state.organizations[to]!.id : to;
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

const move: Arbitrary<Action> = record({ by: anyone, which: nat(7), where: target }).map(
  ({ by, which, where }): Action =>
    (state) => {
      const subject = state.recordings[which]!;
      const { given, body } = targetOf(state, subject.home, where);
      return {
        by,
        text: `${NAMES[by]} moves ${which}: ${JSON.stringify(body)}`,
        method: 'PATCH',
        path: `/recordings/${subject.id}`,
        body,
        apply: (now) => {
          const recording = now.recordings[which]!;
          const holder = given.home === undefined && given.folder ? recording.home : given.home;
          const reasons = [...refusals(now, by, recording, given), ...closed(now, by, holder, given.folder)];
          if (reasons.length > 0) return reasons;
          carry(now, by, recording, given);
          return DONE;
        },
      };
    },
);

/** To an organization or to none: a folder alone would mean other folders for other recordings. */
const moveMany: Arbitrary<Action> = record({
  by: anyone,
  which: uniqueArray(nat(7), { minLength: 1, maxLength: 5 }),
  where: target.filter(({ to, folder }) => to !== undefined || folder === null),
  mode: constantFrom('all', 'each'),
}).map(({ by, which, where, mode }): Action => (state) => {
  const { given, body } = targetOf(state, null, where);
  const ids = which.map((one) => state.recordings[one]!.id);
  return {
    by,
    text: `${NAMES[by]} moves ${which} (${mode}): ${JSON.stringify(body)}`,
    method: 'POST',
    path: '/recordings/bulk',
    body: { ids, mode, action: 'move', ...body },
    apply: (now) => {
      const shut = closed(now, by, given.home, given.folder);
      if (given.home === null && given.folder) shut.push('400 VALIDATION_ERROR');
      if (shut.length > 0) return shut;
      const reasons = which.map((one) => refusals(now, by, now.recordings[one]!, given));
      const refused = reasons.filter((those) => those.length > 0);
      if (mode === 'all' && refused.length > 0) return refused.flat();
      which.forEach((one, at) => {
        if (reasons[at]!.length === 0) carry(now, by, now.recordings[one]!, given);
      });
      return [`200 ${reasons.map((those) => (those.length === 0 ? 'done' : 'refused'))}`];
    },
  };
});

export const outcomeOf = ({ status, body }: Reply): string => {
  if (body.error) return `${status} ${body.error.code}`;
  const results: { success: boolean }[] | undefined = body.data?.results;
  return results
    ? `${status} ${results.map(({ success }) => (success ? 'done' : 'refused'))}`
    : String(status);
};

export const action: Arbitrary<Action> = oneof(
  { weight: 6, arbitrary: changeMember },
  { weight: 4, arbitrary: removeMember },
  { weight: 4, arbitrary: invite },
  { weight: 1, arbitrary: withdraw },
  { weight: 8, arbitrary: accept },
  { weight: 2, arbitrary: offer },
  { weight: 5, arbitrary: answerOffer },
  { weight: 2, arbitrary: addFolder },
  { weight: 6, arbitrary: changeFolder },
  { weight: 1, arbitrary: features },
  { weight: 1, arbitrary: deleteOrganization },
  { weight: 5, arbitrary: move },
  { weight: 3, arbitrary: moveMany },
);
