import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from '../../platform/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { hashSecret } from '../../platform/secrets.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { User } from '../users/entities/user.entity.js';
import { WorkspaceImportService } from './workspace-import.service.js';
import { WorkspaceReaderService, type ReadWorkspace } from './workspace-reader.service.js';

/** The demo workspace: loaded into an empty embedded database, with an API key that is shown at every start. */
@Injectable()
export class DemoService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly reader: WorkspaceReaderService,
    private readonly importer: WorkspaceImportService,
    private readonly apiKeys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /** Loads the workspace file when there is no user yet. */
  async load(path: string): Promise<void> {
    if (!this.settings.demo || (await this.dataSource.manager.count(User, { take: 1 })) > 0) return;
    await this.importer.import(shifted(await this.reader.read(path), this.clock.now()));
  }

  /**
   * A key of the first user of the workspace file that works, or null when the demo is off or that user is gone. Kept
   * in `DATA_DIR/demo-api-key`, readable by its owner only, as the database holds no more than a hash.
   */
  async apiKey(path: string): Promise<string | null> {
    if (!this.settings.demo) return null;
    const { users } = JSON.parse(await readFile(path, 'utf8')) as { users: { email: string }[] };
    const user = await this.dataSource.manager.findOneBy(User, { email: users[0]?.email });
    if (!user) return null;
    const file = join(this.settings.dataDir, 'demo-api-key');
    const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const known = kept && (await this.dataSource.manager.findOneBy(ApiKey, { hash: hashSecret(kept) }));
    if (known && known.userId === user.id && known.revokedAt === null) return kept;
    const { key } = await this.apiKeys.create(user.id, { name: 'demo' });
    await writeFile(file, key, { mode: 0o600 });
    return key;
  }
}

/** The same workspace with all its times moved, so that the newest recording is from now. */
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
