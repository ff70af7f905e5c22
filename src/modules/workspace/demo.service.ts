import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { AuthService } from '../auth/auth.service.js';
import { ShareLinkCreationService } from '../sharing/links/share-link-creation.service.js';
import { ShareLinksService } from '../sharing/links/share-links.service.js';
import { User } from '../users/entities/user.entity.js';
import { WorkspaceImportService } from './workspace-import.service.js';
import { WorkspaceReaderService, type ReadWorkspace } from './workspace-reader.service.js';
import { COMMAND_LINE } from '../../policy/management.js';

/** The weekly meeting of the demo workspace, which has video, transcript and summary. */
const SHARED_RECORDING = '01a1edfd-ddc0-7c01-8c00-5eed0000c001';

/** The demo workspace, loaded into an empty embedded database with an API key that is shown only at that start. */
@Injectable()
export class DemoService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly reader: WorkspaceReaderService,
    private readonly importer: WorkspaceImportService,
    private readonly apiKeys: ApiKeysService,
    private readonly auth: AuthService,
    private readonly shareLinks: ShareLinkCreationService,
    private readonly sharing: ShareLinksService,
    private readonly clock: Clock,
  ) {}

  /** Loads the workspace file if there are no users yet; returns whether it did. */
  async load(path: string): Promise<boolean> {
    if (!this.settings.demo || (await this.dataSource.manager.count(User, { take: 1 })) > 0) return false;
    await this.importer.import(shifted(await this.reader.read(path), this.clock.now()));
    return true;
  }

  /** The first user of the workspace file; null when the demo is off or that user has been deleted. */
  async user(path: string): Promise<User | null> {
    if (!this.settings.demo) return null;
    const { users } = JSON.parse(await readFile(path, 'utf8')) as { users: { email: string }[] };
    return this.dataSource.manager.findOneBy(User, { email: users[0]?.email, emailVerified: true });
  }

  /** Creates a key for that user, to be shown once: it is not stored in plain text. */
  async createKey({ id }: User): Promise<string> {
    return (await this.apiKeys.create(id, { name: 'demo' }, COMMAND_LINE)).key;
  }

  /** Creates a share link to look at, for the user of this key. */
  async share(key: string): Promise<void> {
    const caller = await this.auth.authenticate(`Bearer ${key}`);
    await this.shareLinks.create(caller, SHARED_RECORDING, { permission: 'view' });
  }

  /** URL of that share page; null once the link or the recording is gone. */
  sharePage({ id: createdBy }: User): Promise<string | null> {
    return this.sharing.plainUrl(SHARED_RECORDING, createdBy);
  }
}

/** The same workspace with all times shifted so that the newest recording is from now. */
function shifted(workspace: ReadWorkspace, now: Date): ReadWorkspace {
  const newest = Math.max(...workspace.recordings.map(({ createdAt }) => createdAt?.getTime() ?? 0));
  const by = Math.floor((now.getTime() - newest) / 60_000) * 60_000;
  const move = (time: Date | null | undefined) => (time ? new Date(time.getTime() + by) : undefined);
  return {
    ...workspace,
    recordings: workspace.recordings.map((recording) => ({
      ...recording,
      createdAt: move(recording.createdAt),
      startedAt: move(recording.startedAt),
      endedAt: move(recording.endedAt),
    })),
  };
}
