import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { Mailer } from './mailer.js';

@Global()
@Module({
  providers: [{ provide: Mailer, inject: [SETTINGS], useFactory: ({ mail }: Settings) => new Mailer(mail) }],
  exports: [Mailer],
})
export class MailModule {}
