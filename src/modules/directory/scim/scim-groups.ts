import SCIMMY from 'scimmy';
import { isUuid } from '../../../platform/ids.js';
import type { DirectoryGroup } from '../entities/directory-group.entity.js';
import { badRequest, reading } from './scim-protocol.js';
import { readLine, requireObject, requirePatch, toSingle } from './scim-users.js';

/** What changes about the members of a group. */
export interface MemberChanges {
  /** Whether those whom it has leave first. */
  readonly all: boolean;
  readonly removed: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
}

/** What changes about a group; undefined: nothing. */
export interface GroupChanges {
  readonly displayName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly members: MemberChanges;
}

/** Reads the body of a POST or PUT: the whole group. */
export function readGroup(body: unknown): GroupChanges & { readonly displayName: string } {
  const { members, ...fields } = requireObject(body);
  // Members one by one: as attributes of SCIMMY, a thousand of them take it 50 ms.
  const group = reading(() => new SCIMMY.Schemas.Group(fields, 'in'));
  return {
    displayName: requireName(group.displayName),
    externalId: readLine('externalId', (group as { externalId?: string }).externalId),
    members: { all: true, removed: new Set(), added: new Set(readMembers(members)) },
  };
}

const ONE_MEMBER = /^members\s*\[\s*value\s+eq\s+"([^"]*)"\s*\]$/i;

/**
 * Reads the body of a PATCH, without the group: it may have thousands of members, of which a request names a few. One
 * operation goes before another as if each had been carried out by itself.
 */
export function readGroupPatch(body: unknown): GroupChanges {
  const { Operations } = reading(() => new SCIMMY.Messages.PatchOp(requirePatch(body)));
  const changes: { displayName?: string; externalId?: string | null } = {};
  const [removed, added] = [new Set<string>(), new Set<string>()];
  let all = false;
  for (const { op, path = '', value } of Operations.flatMap(toSingle)) {
    const name = path.toLowerCase();
    const one = ONE_MEMBER.exec(path)?.[1];
    if (name === 'displayname') changes.displayName = requireName(op === 'remove' ? null : value);
    else if (name === 'externalid') changes.externalId = readLine(name, op === 'remove' ? null : value);
    else if (name === 'members' || one !== undefined) {
      if (one === undefined && (op === 'replace' || (op === 'remove' && value === undefined))) {
        all = true;
        added.clear();
      }
      for (const id of one === undefined ? readMembers(value) : [one.toLowerCase()]) {
        const [to, from] = op === 'remove' ? [removed, added] : [added, removed];
        to.add(id);
        from.delete(id);
      }
    } else if (name.startsWith('members'))
      throw badRequest('invalidPath', 'path: must be members or members[value eq "ID"]');
  }
  return { ...changes, members: { all, removed, added } };
}

function requireName(value: unknown): string {
  const name = readLine('displayName', value);
  if (name === null) throw badRequest('invalidValue', 'displayName: must not be empty');
  return name;
}

/** The ids of a list of members, or of one. */
function readMembers(given: unknown): readonly string[] {
  if (given === undefined || given === null) return [];
  return (Array.isArray(given) ? given : [given]).map((member: unknown) => {
    const value: unknown =
      typeof member === 'object' && member !== null && 'value' in member ? member.value : member;
    if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
    throw badRequest(
      'invalidValue',
      'members: each must have the id of a user of this directory as its value',
    );
  });
}

export interface PresentedMember {
  readonly value: string;
  readonly display: string;
}

export const presentGroup = (group: DirectoryGroup, members: readonly PresentedMember[]) => ({
  schemas: [SCIMMY.Schemas.Group.id],
  id: group.id,
  externalId: group.externalId,
  displayName: group.displayName,
  members,
});
