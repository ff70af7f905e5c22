import { Global, Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { SETTINGS, type Settings } from '../config/settings.js';
import { openKeys } from '../keys/keys.js';
import { UrlSigner } from '../signing/url-signer.js';
import { Sealer } from './sealer.js';
import { openSealer } from './sealing-keys.js';

/** What signs and what seals. Also checks, at every start of a process, that its sealing key fits the database. */
@Global()
@Module({
  providers: [
    {
      provide: Sealer,
      inject: [SETTINGS, getDataSourceToken()],
      useFactory: ({ sealingKey }: Settings, dataSource: DataSource) => openSealer(sealingKey, dataSource),
    },
    {
      provide: UrlSigner,
      inject: [SETTINGS],
      useFactory: async ({ urlSigningKey }: Settings) => new UrlSigner(await openKeys(urlSigningKey)),
    },
  ],
  exports: [Sealer, UrlSigner],
})
export class KeysModule {}
