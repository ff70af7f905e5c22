import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { DomainError } from '../../platform/errors/domain-error.js';
import { LIMITS } from '../../platform/limits.js';
import { RecordingAccessService } from '../recordings/recording-access.service.js';
import { RecordingsService } from '../recordings/recordings.service.js';
import { TranscriptsService } from '../transcripts/transcripts.service.js';
import type { SharedContent } from './dto/share-page.response.dto.js';
import { ShareLink } from './entities/share-link.entity.js';

/** What stands behind a share link; plan and switches are asked at every view, not only when it was created. */
@Injectable()
export class SharePageService {
  constructor(
    @InjectRepository(ShareLink) private readonly links: Repository<ShareLink>,
    private readonly access: RecordingAccessService,
    private readonly recordings: RecordingsService,
    private readonly transcripts: TranscriptsService,
  ) {}

  async open(token: string): Promise<SharedContent> {
    const link = token.includes('\0') ? null : await this.links.findOneBy({ token });
    if (!link) throw new DomainError('NOT_FOUND');
    const recording = await this.access.shared(link.recordingId);
    const transcript = recording.access.capabilities.canViewTranscription
      ? await this.transcripts.pageOf(recording.row, 0, LIMITS.transcriptChunks.max)
      : null;
    return {
      recording,
      permission: link.permission,
      transcript,
      ...(await this.recordings.content(recording)),
    };
  }
}
