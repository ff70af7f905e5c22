import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { BrowserTokensModule } from '../browser-tokens/browser-tokens.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { AcceptedKeys } from './accepted-keys.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { AccessTokenAuthenticator } from './authenticators/access-token.authenticator.js';
import { ApiKeyAuthenticator } from './authenticators/api-key.authenticator.js';
import { BrowserTokenAuthenticator } from './authenticators/browser-token.authenticator.js';
import { SessionAuthenticator } from './authenticators/session.authenticator.js';

@Module({
  imports: [ApiKeysModule, AuditModule, BrowserTokensModule, QuotasModule],
  controllers: [AuthController],
  providers: [
    AuthService,
    AcceptedKeys,
    AccessTokenAuthenticator,
    BrowserTokenAuthenticator,
    ApiKeyAuthenticator,
    SessionAuthenticator,
  ],
  exports: [AuthService, ApiKeyAuthenticator, SessionAuthenticator],
})
export class AuthModule {}
