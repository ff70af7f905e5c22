/** The rules of organizations, written a second time and plainly: what each request of `management-actions.ts` may lead to. */

export const ROLES = ['OWNER', 'ADMIN', 'EDITOR', 'VIEWER'] as const;
export type Role = (typeof ROLES)[number];

/** Users are numbers. */
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
  readonly token: string;
  readonly who: number;
  readonly role: Role;
  readonly by: number;
  readonly folders: readonly string[];
}

export interface ModelOrganization {
  readonly id: string;
  alive: boolean;
  downloads: boolean;
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
}

export interface State {
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

export const organizationOf = (state: State, id: string): ModelOrganization =>
  state.organizations.find((organization) => organization.id === id)!;

export const manages = (member: ModelMember | undefined, role: Role): boolean =>
  member !== undefined && MANAGES[member.role].includes(role);

export const isManager = (member: ModelMember | undefined): boolean =>
  member?.role === 'OWNER' || member?.role === 'ADMIN';

export const isLastOwner = ({ members }: ModelOrganization, who: number): boolean =>
  members.every(({ role, who: other }) => (role === 'OWNER') === (other === who));

export function canSee(state: State, who: number, recording: ModelRecording): boolean {
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

export const isOpen = ({ named }: ModelFolder, who: number): boolean => named === null || named.includes(who);

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
