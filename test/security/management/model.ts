/** The rules of organizations, written a second time and plainly: what each request of `requests.ts` may lead to. */

export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

export const PLANS = ['FREE', 'PRO', 'ENTERPRISE'] as const;
export type Plan = (typeof PLANS)[number];

/** Elsewhere, users are numbers: where they are in the list of users. */
export interface ModelUser {
  readonly id: string;
  readonly email: string;
  /** Others can have the same address without this. */
  readonly verified: boolean;
  readonly key: string;
  readonly operator: boolean;
  alive: boolean;
}

export interface ModelMember {
  readonly who: number;
  role: Role;
  viewAll: boolean;
  viewFolder: boolean;
  downloads: boolean;
}

export interface ModelFolder {
  readonly id: string;
  active: boolean;
  /** Null: open to all members. */
  named: number[] | null;
}

export interface ModelInvitation {
  readonly id: string;
  token: string;
  /** Of a user, or of somebody who will be one. */
  readonly email: string;
  readonly role: Role;
  by: number;
  readonly folders: readonly string[];
}

export interface ModelOrganization {
  readonly id: string;
  alive: boolean;
  plan: Plan;
  downloads: boolean;
  membersMayTake: boolean;
  /** In the order in which they joined. */
  members: ModelMember[];
  folders: ModelFolder[];
  invitations: ModelInvitation[];
  transfer: { from: number; to: number } | null;
}

export interface ModelRecording {
  readonly id: string;
  owner: number;
  /** Id of the organization; null: personal. */
  home: string | null;
  folder: string | null;
  /** Deleted because somebody asked for it; nothing else may lose a recording. */
  deleted: boolean;
}

export interface State {
  readonly users: ModelUser[];
  readonly organizations: ModelOrganization[];
  readonly recordings: ModelRecording[];
}

/** Members manage those with these roles. */
const MANAGES: Readonly<Record<Role, readonly Role[]>> = {
  OWNER: ROLES,
  ADMIN: ['EDITOR', 'VIEWER'],
  EDITOR: [],
  VIEWER: [],
};

export const memberOf = (home: ModelOrganization | undefined, who: number): ModelMember | undefined =>
  home?.members.find((member) => member.who === who);

export const newOrganization = (id: string, plan: Plan): ModelOrganization => ({
  id,
  alive: true,
  plan,
  downloads: true,
  membersMayTake: false,
  members: [],
  folders: [],
  invitations: [],
  transfer: null,
});

export const organizationOf = (state: State, id: string): ModelOrganization =>
  state.organizations.find((organization) => organization.id === id)!;

/** The number of the user whose verified address it is; undefined if there is none. */
export function userWith(state: State, email: string): number | undefined {
  const at = state.users.findIndex((user) => user.alive && user.verified && user.email === email);
  return at < 0 ? undefined : at;
}

export const manages = (member: ModelMember | undefined, role: Role): boolean =>
  member !== undefined && MANAGES[member.role].includes(role);

export const isManager = (member: ModelMember | undefined): boolean =>
  member?.role === 'OWNER' || member?.role === 'ADMIN';

export const isLastOwner = ({ members }: ModelOrganization, who: number): boolean =>
  members.every(({ role, who: other }) => (role === 'OWNER') === (other === who));

export function canSee(state: State, who: number, recording: ModelRecording): boolean {
  if (recording.deleted) return false;
  if (recording.home === null) return recording.owner === who;
  const home = organizationOf(state, recording.home);
  const member = memberOf(home, who);
  if (!member) return false;
  if (isManager(member) || member.viewAll || recording.owner === who) return true;
  const folder = home.folders.find(({ id }) => id === recording.folder);
  return member.viewFolder && folder !== undefined && folder.active && isOpen(folder, who);
}

export function canChange(state: State, who: number, recording: ModelRecording): boolean {
  if (recording.home === null) return recording.owner === who;
  const member = memberOf(organizationOf(state, recording.home), who);
  return isManager(member) || (member?.role === 'EDITOR' && recording.owner === who);
}

/** Whether they may take a recording that they may change out of its organization. Nobody turns off sharing. */
export function canTake(state: State, who: number, { home, owner }: ModelRecording): boolean {
  if (home === null) return true;
  const organization = organizationOf(state, home);
  const member = memberOf(organization, who);
  if (!member?.downloads || !organization.downloads) return false;
  if (member.role === 'OWNER') return true;
  return owner === who && (member.role === 'ADMIN' || organization.membersMayTake);
}

/** Whether its owner, who sees a recording, would not see it in another place. */
export function wouldHide(state: State, { home, owner }: ModelRecording, to: string | null): boolean {
  if (home === null || to === null) return false;
  const [here, there] = [organizationOf(state, home), organizationOf(state, to)];
  return memberOf(here, owner) !== undefined && memberOf(there, owner) === undefined;
}

/** Of a recording that they see. The personal plan of all users is PRO. */
export function canDownload(state: State, who: number, { home }: ModelRecording): boolean {
  if (home === null) return true;
  const organization = organizationOf(state, home);
  return (
    organization.plan !== 'FREE' && organization.downloads && memberOf(organization, who)!.downloads === true
  );
}

export const isOpen = ({ named }: ModelFolder, who: number): boolean => named === null || named.includes(who);

export function join(home: ModelOrganization, who: number, role: Role): void {
  home.members.push({ who, role, viewAll: false, viewFolder: true, downloads: true });
}

/** Ends a membership with all that depends on it. */
export function depart(state: State, home: ModelOrganization, who: number, newOwner: number): void {
  home.members = home.members.filter((member) => member.who !== who);
  for (const folder of home.folders) folder.named = folder.named?.filter((named) => named !== who) ?? null;
  home.invitations = home.invitations.filter(({ by }) => by !== who);
  endTransferOf(home, who);
  for (const recording of state.recordings) {
    if (recording.home === home.id && recording.owner === who) recording.owner = newOwner;
  }
}

export function endTransferOf(home: ModelOrganization, who: number): void {
  if (home.transfer?.from === who || home.transfer?.to === who) home.transfer = null;
}

/** The most privileged other member, then the longest-standing one. */
export function successor({ members }: ModelOrganization, who: number): number {
  const others = members.filter((member) => member.who !== who);
  const ranked = ROLES.flatMap((role) => others.filter((member) => member.role === role));
  return ranked[0]!.who;
}

/** Ends an organization; its recordings must be gone, or go with it. */
export function close(state: State, home: ModelOrganization): void {
  for (const recording of state.recordings) if (recording.home === home.id) recording.deleted = true;
  Object.assign(home, { alive: false, members: [], folders: [], invitations: [], transfer: null });
}
