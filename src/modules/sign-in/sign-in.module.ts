import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { OneTimeSecret } from './entities/one-time-secret.entity.js';
import { OneTimeSecretsService } from './one-time-secrets.service.js';
import { Passkey } from './passkeys/entities/passkey.entity.js';
import { PasskeyPagesService } from './passkeys/passkey-pages.service.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([OneTimeSecret, Passkey]), ApiKeysModule, AuthModule],
  controllers: [PasskeysController],
  providers: [OneTimeSecretsService, SignInService, PasskeysService, PasskeyPagesService],
  exports: [OneTimeSecretsService, SignInService, PasskeysService],
})
export class SignInModule {}
