import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingAccessModule } from '../../../src/modules/recordings/access/recording-access.module.js';
import { BookmarksController } from './bookmarks.controller.js';
import { BookmarksService } from './bookmarks.service.js';
import { Bookmark } from './entities/bookmark.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([Bookmark]), RecordingAccessModule],
  controllers: [BookmarksController],
  providers: [BookmarksService],
})
export class BookmarksModule {}
