import type { EntityManager } from 'typeorm';
import { conflict } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { FolderMember } from '../entities/folder-member.entity.js';

/**
 * Opens restricted folders to members, in a transaction that has locked the organization. 409 `CONFLICT` if its folders
 * then name too many: the list of folders has all of these names.
 */
export async function addFolderMembers(
  manager: EntityManager,
  organizationId: string,
  named: readonly Pick<FolderMember, 'folderId' | 'userId'>[],
): Promise<void> {
  if (named.length === 0) return;
  const folderMembers = manager.getRepository(FolderMember);
  await folderMembers.insert(named.map((one) => ({ ...one, organizationId })));
  if ((await folderMembers.countBy({ organizationId })) <= LIMITS.folderMembers) return;
  throw conflict(
    `The restricted folders of an organization can list at most ${LIMITS.folderMembers} members in total; remove some from restricted_to first.`,
  );
}
