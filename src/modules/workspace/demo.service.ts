import { readFile, rename, rm } from 'node:fs/promises';
import { newApiKey } from '../../contract/api-key-format.js';
import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, IsNull, MoreThan, Not, Or } from 'typeorm';
import { DomainError } from '../../contract/domain-error.js';
import { DAY_S } from '../../lib/durations.js';
import { Clock } from '../../platform/clock/clock.js';
import { SETTINGS, type Settings } from '../../platform/config/settings.js';
import { isOpenedOnHost } from '../../platform/http/requests/own-host.js';
import { PublicUrl } from '../../platform/http/server/public-url.js';
import { hashSecret } from '../../platform/secrets/secrets.js';
import { createKeyFile, demoKeyFile, readKeyFile } from '../../platform/secrets/keys.js';
import { COMMAND_LINE } from '../../policy/management.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKey } from '../api-keys/entities/api-key.entity.js';
import { ApiKeyAuthenticator } from '../auth/authenticators/api-key.authenticator.js';
import { ShareLinksService } from '../sharing/links/share-links.service.js';
import { User } from '../users/entities/user.entity.js';
import { WorkspaceImportService } from './workspace-import.service.js';
import { WorkspaceReaderService, type ReadWorkspace } from './workspace-reader.service.js';

/** The first user of the demo workspace. */
const DEMO_USER = '019c1d5d-9c00-7a01-8a00-5eed0000a001';
/** The weekly meeting of the demo workspace, which has video, transcript and summary. */
const SHARED_RECORDING = '01a1edfd-ddc0-7c01-8c00-5eed0000c001';

export interface ShownDemo {
  /** The key, until it has been shown in a terminal. */
  readonly key: string | null;
  /** Of the user of the key; null when the demo is off or that user has been deleted. */
  readonly email: string | null;
  /** Id of that user. */
  readonly userId: string | null;
  /** URL of the share page; null when its link or recording is gone. */
  readonly sharePage: string | null;
}

/**
 * The demo workspace, loaded into an empty embedded database with an API key and a share link. The key is stored only
 * as a hash, so it is in a file until it has been shown: first in one beside it, then, once all is made, in
 * `demoKeyFile`. Wherever a start ends, the next one goes on from there.
 */
@Injectable()
export class DemoService {
  private readonly keyFile: string;
  private readonly newKeyFile: string;
  private docsKey = '';

  constructor(
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly reader: WorkspaceReaderService,
    private readonly importer: WorkspaceImportService,
    private readonly keys: ApiKeyAuthenticator,
    private readonly shareLinks: ShareLinksService,
    private readonly clock: Clock,
    private readonly apiKeys: ApiKeysService,
    private readonly publicUrl: PublicUrl,
  ) {
    this.keyFile = demoKeyFile(settings.dataDir);
    this.newKeyFile = `${this.keyFile}.new`;
  }

  /** Loads the workspace file if there are no users yet. */
  async load(path: string): Promise<void> {
    if (!this.settings.demo) return;
    if ((await this.dataSource.manager.count(User, { take: 1 })) === 0) await this.import(path);
    const key = await readKeyFile(this.newKeyFile);
    if (key === null) return;
    // Others have created users since the last start; what it left is of no use then.
    if (!(await this.isValid(key))) return rm(this.newKeyFile, { force: true });
    const caller = await this.keys.callerOf(key);
    if (!(await this.sharePage(caller.id)))
      await this.shareLinks.create(caller, SHARED_RECORDING, { permission: 'view' });
    await rename(this.newKeyFile, this.keyFile);
  }

  /** `path`: the workspace file. */
  async describe(path: string): Promise<ShownDemo> {
    if (!this.settings.demo) return { key: null, email: null, userId: null, sharePage: null };
    const { users } = JSON.parse(await readFile(path, 'utf8')) as { users: { email: string }[] };
    const key = await readKeyFile(this.keyFile);
    const user = await this.dataSource.manager.findOneBy(User, {
      email: users[0]?.email,
      emailVerified: true,
    });
    return {
      key: key && (await this.isValid(key)) ? key : null,
      email: user?.email ?? null,
      userId: user?.id ?? null,
      sharePage: user && (await this.sharePage(user.id)),
    };
  }

  /** With a key of its first user. */
  private async import(path: string): Promise<void> {
    const key = await createKeyFile(this.newKeyFile, newApiKey());
    const workspace = shifted(await this.reader.read(path), this.clock.now());
    const [first, ...others] = workspace.users;
    if (!first) throw new Error(`${path} has no users`);
    const apiKeys = [...first.apiKeys, { name: 'demo', key }];
    await this.importer.import({ ...workspace, users: [{ ...first, apiKeys }, ...others] });
  }

  /** Whether browsers on this host are offered a key of the demo user, who may have been deleted. */
  async isOffered(request: Request): Promise<boolean> {
    const { apiDocs, demo } = this.settings;
    const isHere = apiDocs && demo && isOpenedOnHost(request, this.publicUrl);
    return isHere && this.dataSource.manager.existsBy(User, { id: DEMO_USER });
  }

  /** Returns a key of the demo user that expires within a day, the same one for all who ask this process; 404 `NOT_FOUND`. */
  async keyForDocs(request: Request): Promise<string> {
    if (!(await this.isOffered(request))) throw new DomainError('NOT_FOUND');
    if (await this.isValid(this.docsKey)) return this.docsKey;
    const input = { name: 'API docs', expires_in: DAY_S };
    ({ key: this.docsKey } = await this.apiKeys.create(DEMO_USER, input, COMMAND_LINE));
    return this.docsKey;
  }

  private isValid(key: string): Promise<boolean> {
    return this.dataSource.manager.existsBy(ApiKey, {
      hash: hashSecret(key),
      userId: Not(IsNull()),
      revokedAt: IsNull(),
      expiresAt: Or(IsNull(), MoreThan(this.clock.now())),
    });
  }

  private sharePage(createdBy: string): Promise<string | null> {
    return this.shareLinks.plainUrl(SHARED_RECORDING, createdBy);
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
