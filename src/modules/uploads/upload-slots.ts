import { IsNull, type EntityManager } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { lockUser } from '../users/users.service.js';
import { PartialUpload } from './entities/partial-upload.entity.js';
import { Upload } from './entities/upload.entity.js';

/** So many partial uploads count as one open upload: most are pieces of the same file. */
const PARTIALS_PER_SLOT = 10;

/** Locks the user's row, so that two requests at once cannot both take the last slot. */
export async function requireUploadSlot(
  manager: EntityManager,
  userId: string,
  { maxOpenUploads, partial = false }: { readonly maxOpenUploads: number; readonly partial?: boolean },
): Promise<void> {
  await lockUser(manager, userId);
  const partials = (await manager.countBy(PartialUpload, { userId })) + (partial ? 1 : 0);
  const uploads = (await manager.countBy(Upload, { userId, closedAt: IsNull() })) + (partial ? 0 : 1);
  if (uploads + Math.ceil(partials / PARTIALS_PER_SLOT) <= maxOpenUploads) return;
  const hint = partials > 0 ? `; ${PARTIALS_PER_SLOT} partial uploads count as one` : '';
  throw new DomainError(
    'CONFLICT',
    `You have ${maxOpenUploads} open uploads, which is the limit${hint}. Finish or delete one first.`,
  );
}
