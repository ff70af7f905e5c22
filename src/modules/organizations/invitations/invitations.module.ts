import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { OrganizationsModule } from '../organizations.module.js';
import { UsersModule } from '../../users/users.module.js';
import { InvitationFolder, Invitation } from './entities/invitation.entity.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationsController } from './invitations.controller.js';
import { JoinPageController } from './join-page.controller.js';
import { JoinPageService } from './join-page.service.js';
import { InvitationsService } from './invitations.service.js';

/**
 * Invitations, and the page that accepts them. A module of its own, because that page authenticates API keys, and
 * `auth` depends on `organizations` by way of `audit`.
 */
@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation, InvitationFolder]),
    OrganizationsModule,
    UsersModule,
    ApiKeysModule,
    AuthModule,
  ],
  controllers: [InvitationsController, JoinPageController],
  providers: [InvitationsService, InvitationMailService, InvitationAcceptanceService, JoinPageService],
})
export class InvitationsModule {}
