import { Module } from '@nestjs/common';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { LibraryAssets } from './library-assets.js';
import { LibraryPageController } from './library-page.controller.js';
import { LibraryPageService } from './library-page.service.js';

/** The pages on which people work with their recordings: a client of the API, in `web/app`. */
@Module({
  imports: [SignInModule],
  controllers: [LibraryPageController],
  providers: [LibraryAssets, LibraryPageService],
})
export class LibraryModule {}
