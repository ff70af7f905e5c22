import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { OneTimeSecret } from './entities/one-time-secret.entity.js';
import { OneTimeSecretsService } from './one-time-secrets.service.js';
import { SignInService } from './sign-in.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([OneTimeSecret]), ApiKeysModule, AuthModule],
  providers: [OneTimeSecretsService, SignInService],
  exports: [OneTimeSecretsService, SignInService],
})
export class SignInModule {}
