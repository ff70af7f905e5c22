import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { violates } from '../../platform/database/database-errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { PublicUrl } from '../../platform/http/public-url.js';
import { newId } from '../../platform/ids.js';
import { randomToken } from '../../platform/secrets.js';
import type { Caller } from '../../policy/caller.js';
import { RecordingAccessService } from '../recordings/recording-access.service.js';
import type { SharePermission } from './entities/share-link.entity.js';

export interface SharedLink {
  readonly url: string;
  readonly token: string;
  readonly permission: SharePermission;
}

@Injectable()
export class SharingService {
  constructor(
    private readonly access: RecordingAccessService,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly publicUrl: PublicUrl,
    private readonly clock: Clock,
  ) {}

  /** The recording's link of that permission; made at the first request, the same one afterwards. */
  async create(caller: Caller, recordingId: string, permission: SharePermission): Promise<SharedLink> {
    const andAlso = permission === 'download' ? 'downloads' : undefined;
    const { row } = await this.access.use(caller, recordingId, 'sharing', andAlso);
    const token = await this.linkToken(row.id, permission, caller.id);
    return { url: this.publicUrl.of(`/s/${token}`), token, permission };
  }

  /** The update that changes nothing makes the existing row come back; two at once get the same link. */
  private async linkToken(
    recordingId: string,
    permission: SharePermission,
    createdBy: string,
  ): Promise<string> {
    try {
      const [link]: { token: string }[] = await this.dataSource.query(
        `INSERT INTO share_links (id, recording_id, permission, token, created_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (recording_id, permission) DO UPDATE SET permission = excluded.permission
         RETURNING token`,
        [newId(), recordingId, permission, randomToken(), createdBy, this.clock.now()],
      );
      return link!.token;
    } catch (error) {
      // Deleted by somebody else since the access decision.
      if (violates(error, 'share_links_recording_id_fkey')) throw new DomainError('RECORDING_NOT_FOUND');
      throw error;
    }
  }
}
