import { Global, Module, type Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from './clock/clock.js';
import { SETTINGS, type Settings } from './config/settings.js';
import { PageAssets, PageAssetsController } from './http/pages/page-assets.js';
import { CardPages } from './http/pages/card-pages.js';
import { SessionCookie } from './http/requests/session-cookie.js';
import { PublicUrl } from './http/server/public-url.js';
import { RequestLimits } from './http/requests/request-limits.js';
import { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { ReplyChecks } from './idempotency/reply-checks.service.js';
import { JobsService } from './jobs/jobs.service.js';
import { ProcessRegistry } from './processes/process-registry.js';
import { openKeys } from './secrets/keys.js';
import { AppLogger } from './logging/app-logger.js';
import { Dependency } from './logging/dependency.js';
import { MailJobs } from './mail/mail-jobs.service.js';
import { Mailer } from './mail/mailer.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { Sealer } from './sealing/sealer.js';
import { openSealer } from './sealing/sealing-keys.js';
import { UrlSigner } from './secrets/url-signer.js';
import { ContentKeys } from './storage/content-keys.js';
import { DiskSpace } from './storage/disk-space.js';
import { EncryptedObjectStore } from './storage/encrypted.object-store.js';
import { ObjectStore, StoreUnavailableError } from './storage/object-store.js';
import { openStore } from './storage/open-store.js';
import { ConfinedParser } from './work/confined-parser.service.js';
import { WorkPool } from './work/work-pool.service.js';

const isStoreUnavailable = (error: unknown): boolean => error instanceof StoreUnavailableError;

/** Opened without the database, so that one that cannot be used is reported first. */
const STORE = Symbol('The object store, with what is encrypted as it is');

const PROVIDERS: Provider[] = [
  Clock,
  PublicUrl,
  PageAssets,
  CardPages,
  SessionCookie,
  RequestLimits,
  JobsService,
  ProcessRegistry,
  IdempotencyClaims,
  ReplyChecks,
  WorkPool,
  ConfinedParser,
  DiskSpace,
  MailJobs,
  { provide: Mailer, inject: [SETTINGS], useFactory: ({ mail }: Settings) => new Mailer(mail) },
  {
    provide: OutboundClient,
    inject: [SETTINGS],
    useFactory: ({ allowPrivateAddresses: allowPrivate }: Settings) => new OutboundClient({ allowPrivate }),
  },
  {
    provide: STORE,
    inject: [SETTINGS],
    useFactory: (settings: Settings) => openStore(settings),
  },
  {
    provide: ObjectStore,
    inject: [STORE, AppLogger, ContentKeys],
    useFactory: (stored: ObjectStore, logger: AppLogger, keys: ContentKeys) => {
      const store = new EncryptedObjectStore(stored, keys);
      const options = { causes: isStoreUnavailable, check: () => store.check() };
      logger.dependencies.add(new Dependency('media store', options, logger.pino));
      return store;
    },
  },
  {
    // Checks, at every start of a process, that its sealing key fits the database.
    provide: Sealer,
    inject: [SETTINGS, getDataSourceToken()],
    useFactory: ({ sealingKey }: Settings, dataSource: DataSource) => openSealer(sealingKey, dataSource),
  },
  {
    // After the database: a start that it refuses, as during a restore, must not create a key.
    provide: UrlSigner,
    inject: [SETTINGS, getDataSourceToken()],
    useFactory: async ({ urlSigningKey }: Settings) => new UrlSigner(await openKeys(urlSigningKey)),
  },
];

/** What every module may use, besides settings, log and database. */
@Global()
@Module({ controllers: [PageAssetsController], providers: PROVIDERS, exports: PROVIDERS })
export class PlatformModule {}
