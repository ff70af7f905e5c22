import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { InvitationsModule } from '../organizations/invitations/invitations.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { Identity } from './entities/identity.entity.js';
import { OneTimeSecret } from './entities/one-time-secret.entity.js';
import { JoinPageController } from './join/join-page.controller.js';
import { JoinPageService } from './join/join-page.service.js';
import { SignInLinksService } from './links/sign-in-links.service.js';
import { SignInMailService } from './links/sign-in-mail.service.js';
import { OneTimeSecretsService } from './one-time-secrets.service.js';
import { PageForms } from './page/page-forms.service.js';
import { PastedKeysService } from './page/pasted-keys.service.js';
import { SignInPageController } from './page/sign-in-page.controller.js';
import { SignInPageService } from './page/sign-in-page.service.js';
import { BrowserMark } from './providers/browser-mark.js';
import { IdentitiesService } from './providers/identities.service.js';
import { ProviderConnections } from './providers/provider-connections.service.js';
import { ProviderLogoutService } from './providers/provider-logout.service.js';
import { ProviderPagesController } from './providers/provider-pages.controller.js';
import { ProviderSignInService } from './providers/provider-sign-in.service.js';
import { Passkey } from './entities/passkey.entity.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { PasskeysService } from './passkeys/passkeys.service.js';
import { SignInService } from './sign-in.service.js';

/** How people sign in and out, and the page on which they join an organization, which signs them in. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Identity, OneTimeSecret, Passkey]),
    ApiKeysModule,
    AuditModule,
    AuthModule,
    InvitationsModule,
    OrganizationsModule,
    UsersModule,
  ],
  controllers: [SignInPageController, ProviderPagesController, JoinPageController, PasskeysController],
  providers: [
    OneTimeSecretsService,
    SignInService,
    SignInLinksService,
    SignInMailService,
    PageForms,
    PastedKeysService,
    SignInPageService,
    BrowserMark,
    IdentitiesService,
    ProviderConnections,
    ProviderLogoutService,
    ProviderSignInService,
    JoinPageService,
    PasskeysService,
  ],
  exports: [OneTimeSecretsService, SignInService, SignInLinksService, PageForms, PasskeysService],
})
export class SignInModule {}
