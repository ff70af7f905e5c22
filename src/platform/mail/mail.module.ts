import { Global, Module } from '@nestjs/common';
import { SETTINGS, type Settings } from '../config/settings.js';
import { MailJobs } from './mail-jobs.service.js';
import { Mailer } from './mailer.js';

@Global()
@Module({
  providers: [
    { provide: Mailer, inject: [SETTINGS], useFactory: ({ mail }: Settings) => new Mailer(mail) },
    MailJobs,
  ],
  exports: [MailJobs],
})
export class MailModule {}
