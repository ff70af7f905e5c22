import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysModule } from '../../api-keys/api-keys.module.js';
import { OrganizationsModule } from '../organizations.module.js';
import { UsersModule } from '../../users/users.module.js';
import { InvitationFolder, Invitation } from './entities/invitation.entity.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import { InvitationMailService } from './invitation-mail.service.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';

/** Invitations to organizations; the page that accepts them is in `sign-in`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Invitation, InvitationFolder]),
    OrganizationsModule,
    UsersModule,
    ApiKeysModule,
  ],
  controllers: [InvitationsController],
  providers: [InvitationsService, InvitationMailService, InvitationAcceptanceService],
  exports: [InvitationAcceptanceService],
})
export class InvitationsModule {}
