import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource, IsNull } from 'typeorm';
import { MediaService } from '../media/media.service.js';
import { Recording } from '../recording-access/entities/recording.entity.js';
import { User } from '../users/entities/user.entity.js';

/** Separate from the users module, because recordings depend on that one. */
@Injectable()
export class UserDeletionService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly media: MediaService,
  ) {}

  /**
   * Deletes the user with their personal recordings, which nobody else can ever see, and the share links they created.
   * Recordings of organizations are kept, and so are the user's keys, which then get `USER_NOT_FOUND`.
   */
  async delete(user: User): Promise<{ personalRecordings: number }> {
    return this.dataSource.transaction(async (manager) => {
      const personal = { ownerId: user.id, organizationId: IsNull() };
      const recordings = await manager.find(Recording, { select: { id: true }, where: personal });
      await manager.delete(Recording, personal);
      await this.media.scheduleDeletion(
        manager,
        recordings.map(({ id }) => id),
      );
      await manager.delete(User, { id: user.id });
      return { personalRecordings: recordings.length };
    });
  }
}
