import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { ArtifactsStore } from './artifacts.store.js';
import { OAuthClientsController } from './clients/oauth-clients.controller.js';
import { OAuthClientsService } from './clients/oauth-clients.service.js';
import { ConsentPageService } from './consent/consent-page.service.js';
import { OAuthArtifact } from './entities/oauth-artifact.entity.js';
import { OAuthClient } from './entities/oauth-client.entity.js';
import { OAuthPagesController } from './oauth-pages.controller.js';
import { OAuthRequests } from './oauth-requests.service.js';
import { OAuthServer } from './oauth-server.service.js';
import { OAuthController } from './oauth.controller.js';

/** The authorization server: assistants, apps and command lines act for users who let them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([OAuthArtifact, OAuthClient]),
    ApiKeysModule,
    OrganizationsModule,
    SignInModule,
  ],
  controllers: [OAuthController, OAuthPagesController, OAuthClientsController],
  providers: [ArtifactsStore, OAuthClientsService, ConsentPageService, OAuthRequests, OAuthServer],
})
export class OAuthModule {}
