import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { KeyRing } from '../keys/key-ring.js';
import { AppLogger } from '../logging/app-logger.js';
import { UrlSigner } from './url-signer.js';

@Global()
@Module({
  providers: [
    {
      provide: UrlSigner,
      inject: [SETTINGS, AppLogger],
      useFactory: async ({ urlSigningKey }: Settings, logger: AppLogger) => {
        const keys = await KeyRing.open(urlSigningKey, { create: true });
        return new UrlSigner(
          keys.follow(urlSigningKey, (err) => logger.error({ err }, 'cannot reload the URL signing key')),
        );
      },
    },
  ],
  exports: [UrlSigner],
})
export class SigningModule {}
