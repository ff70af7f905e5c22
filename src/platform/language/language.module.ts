import { Global, Module } from '@nestjs/common';
import { LexemesService } from './lexemes.service.js';

@Global()
@Module({ providers: [LexemesService], exports: [LexemesService] })
export class LanguageModule {}
