import { Module } from '@nestjs/common';
import { MediaModule } from '../media/media.module.js';
import { UserDeletionService } from './user-deletion.service.js';

@Module({ imports: [MediaModule], providers: [UserDeletionService], exports: [UserDeletionService] })
export class UserDeletionModule {}
