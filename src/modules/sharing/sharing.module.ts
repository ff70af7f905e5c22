import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RecordingsModule } from '../recordings/recordings.module.js';
import { TranscriptsModule } from '../transcripts/transcripts.module.js';
import { ShareLink } from './entities/share-link.entity.js';
import { SharePageController } from './share-page.controller.js';
import { SharePageService } from './share-page.service.js';
import { SharingController } from './sharing.controller.js';
import { SharingService } from './sharing.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShareLink]), RecordingsModule, TranscriptsModule],
  controllers: [SharingController, SharePageController],
  providers: [SharingService, SharePageService],
})
export class SharingModule {}
