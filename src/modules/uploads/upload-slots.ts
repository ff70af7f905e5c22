import { IsNull, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { lockUser } from '../users/users.service.js';
import { Upload } from './entities/upload.entity.js';

/** Locks the user's row, so that two requests at once cannot both take the last slot. */
export async function requireUploadSlot(
  manager: EntityManager,
  userId: string,
  { maxOpenUploads }: { readonly maxOpenUploads: number },
): Promise<void> {
  await lockUser(manager, userId);
  if ((await manager.countBy(Upload, { userId, closedAt: IsNull() })) < maxOpenUploads) return;
  throw new DomainError(
    'CONFLICT',
    `You have ${maxOpenUploads} open uploads, which is the limit. Finish or delete one first.`,
  );
}
