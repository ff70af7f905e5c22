import { Module } from '@nestjs/common';
import { RequestPipe } from '../../platform/http/requests/request.pipe.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { UserManagementModule } from '../users/management/user-management.module.js';
import { AccountActionsService } from './account-actions.service.js';
import { AccountPageController } from './account-page.controller.js';
import { AccountPageService } from './account-page.service.js';

/** The page on which people look after their account. */
@Module({
  imports: [SignInModule, ApiKeysModule, OrganizationsModule, UserManagementModule],
  controllers: [AccountPageController],
  providers: [AccountPageService, AccountActionsService, RequestPipe],
})
export class AccountModule {}
