import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { loadSigningKey } from './signing-key.js';
import { UrlSigner } from './url-signer.js';

@Global()
@Module({
  providers: [
    {
      provide: UrlSigner,
      inject: [SETTINGS],
      useFactory: async (settings: Settings) =>
        new UrlSigner(settings.urlSigningKey ?? (await loadSigningKey(settings.dataDir))),
    },
  ],
  exports: [UrlSigner],
})
export class SigningModule {}
