import { Any, IsNull, type EntityManager } from 'typeorm';
import { LIMITS } from '../../../contract/limits.js';
import { Folder, FolderMember } from '../entities/folder.entity.js';
import { addFolderMembers } from '../folders.service.js';

const keyOf = ({ folderId, userId }: Pick<FolderMember, 'folderId' | 'userId'>): string =>
  `${folderId} ${userId}`;

/** Opens restricted folders to members, by their ids, and closes the others that may be granted. */
export async function openFolders(
  manager: EntityManager,
  organizationId: string,
  grantable: readonly string[],
  open: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  if (grantable.length === 0 || open.size === 0) return;
  const named = { id: Any([...grantable]), organizationId, restricted: true, deletedAt: IsNull() };
  const folders = await manager.getRepository(Folder).find({ select: { id: true }, where: named });
  const folderMembers = manager.getRepository(FolderMember);
  const among = { folderId: Any(folders.map(({ id }) => id)), userId: Any([...open.keys()]) };
  const had = await folderMembers.findBy(among);
  const known = new Set(had.map(keyOf));
  for (const { id: folderId } of folders) {
    const closed = had.filter((one) => one.folderId === folderId && !open.get(one.userId)?.has(folderId));
    const userId = Any(closed.map((one) => one.userId));
    if (closed.length > 0) await folderMembers.delete({ folderId, userId });
  }
  const opened = folders.flatMap(({ id: folderId }) =>
    [...open]
      .filter(([userId, ids]) => ids.has(folderId) && !known.has(keyOf({ folderId, userId })))
      .map(([userId]) => ({ folderId, userId })),
  );
  // One more than there may be is enough to be refused.
  await addFolderMembers(manager, organizationId, opened.slice(0, LIMITS.folderMembers + 1));
}
