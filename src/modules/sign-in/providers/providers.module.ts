import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { AuditModule } from '../../audit/audit.module.js';
import { InvitationsModule } from '../../organizations/invitations/invitations.module.js';
import { OrganizationsModule } from '../../organizations/organizations.module.js';
import { UsersModule } from '../../users/users.module.js';
import { SignInModule } from '../sign-in.module.js';
import { BrowserMark } from './browser-mark.js';
import { Identity } from './entities/identity.entity.js';
import { IdentitiesService } from './identities.service.js';
import { ProviderConnections } from './provider-connections.service.js';
import { ProviderLogoutService } from './provider-logout.service.js';
import { ProviderPagesController } from './provider-pages.controller.js';
import { ProviderSignInService } from './provider-sign-in.service.js';

/** Signing in with identity providers. A module of its own, because it accepts invitations, whose page signs people in. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Identity]),
    SignInModule,
    ApiKeysModule,
    AuditModule,
    InvitationsModule,
    OrganizationsModule,
    UsersModule,
  ],
  controllers: [ProviderPagesController],
  providers: [
    BrowserMark,
    IdentitiesService,
    ProviderConnections,
    ProviderLogoutService,
    ProviderSignInService,
  ],
})
export class ProvidersModule {}
