import { Global, Module, type Provider } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { Clock } from './clock/clock.js';
import { SETTINGS, type Settings } from './config/settings.js';
import { PageAssetsController } from './http/pages/page-assets.controller.js';
import { PageAssets } from './http/pages/page-assets.js';
import { PublicUrl } from './http/server/public-url.js';
import { RequestLimits } from './http/requests/request-limits.js';
import { IdempotencyClaims } from './idempotency/idempotency-claims.service.js';
import { ReplyChecks } from './idempotency/reply-checks.service.js';
import { JobsService } from './jobs/jobs.service.js';
import { openKeys } from './secrets/keys.js';
import { MailJobs } from './mail/mail-jobs.service.js';
import { Mailer } from './mail/mailer.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { Sealer } from './sealing/sealer.js';
import { openSealer } from './sealing/sealing-keys.js';
import { UrlSigner } from './secrets/url-signer.js';
import { ObjectStore } from './storage/object-store.js';
import { openStore } from './storage/open-store.js';
import { ConfinedParser } from './work/confined-parser.service.js';
import { WorkPool } from './work/work-pool.service.js';

const PROVIDERS: Provider[] = [
  Clock,
  PublicUrl,
  PageAssets,
  RequestLimits,
  JobsService,
  IdempotencyClaims,
  ReplyChecks,
  WorkPool,
  ConfinedParser,
  MailJobs,
  { provide: Mailer, inject: [SETTINGS], useFactory: ({ mail }: Settings) => new Mailer(mail) },
  {
    provide: OutboundClient,
    inject: [SETTINGS],
    useFactory: ({ allowPrivateAddresses: allowPrivate }: Settings) => new OutboundClient({ allowPrivate }),
  },
  { provide: ObjectStore, inject: [SETTINGS], useFactory: openStore },
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
