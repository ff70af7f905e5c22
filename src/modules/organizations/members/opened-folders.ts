import { Any, IsNull, type EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import type { GrantedRights } from '../../../policy/grants.js';
import { Folder, FolderMember } from '../entities/folder.entity.js';
import { addFolderMembers } from '../folders.service.js';

/** Where something is granted. */
export interface GrantScope {
  readonly organizationId: string;
  /** All restricted folders that may be granted; of others, members keep those that they have. */
  readonly grantable: readonly string[];
}

/** Opens restricted folders to members, and closes the others that may be granted. */
export async function openFolders(
  manager: EntityManager,
  { organizationId, grantable }: GrantScope,
  grants: readonly (Pick<GrantedRights, 'folderIds'> & { readonly userId: string })[],
): Promise<void> {
  if (grantable.length === 0 || grants.length === 0) return;
  const named = { id: Any([...grantable]), organizationId, restricted: true, deletedAt: IsNull() };
  const folders = await manager.getRepository(Folder).find({ select: { id: true }, where: named });
  const folderMembers = manager.getRepository(FolderMember);
  const userId = Any(grants.map((grant) => grant.userId));
  const opened: Pick<FolderMember, 'folderId' | 'userId'>[] = [];
  for (const { id: folderId } of folders) {
    const had = new Set((await folderMembers.findBy({ folderId, userId })).map((one) => one.userId));
    const given = grants.filter(({ folderIds }) => folderIds.includes(folderId)).map((one) => one.userId);
    opened.push(...given.filter((id) => !had.has(id)).map((id) => ({ folderId, userId: id })));
    for (const id of given) had.delete(id);
    if (had.size > 0) await folderMembers.delete({ folderId, userId: Any([...had]) });
  }
  // One more than there may be is enough to be refused.
  await addFolderMembers(manager, organizationId, opened.slice(0, LIMITS.folderMembers + 1));
}
