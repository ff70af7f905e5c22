import { Module } from '@nestjs/common';
import { RecordingAccessModule } from '../recordings/access/recording-access.module.js';
import { BrowserTokenSigner } from './browser-token-signer.service.js';
import { BrowserTokensController } from './browser-tokens.controller.js';
import { BrowserTokensService } from './browser-tokens.service.js';

/** Tokens with which the pages of a product that is built on the service use a small part of an API key. */
@Module({
  imports: [RecordingAccessModule],
  controllers: [BrowserTokensController],
  providers: [BrowserTokensService, BrowserTokenSigner],
  exports: [BrowserTokenSigner],
})
export class BrowserTokensModule {}
