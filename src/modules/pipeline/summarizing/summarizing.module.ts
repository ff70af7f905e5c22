import { Module } from '@nestjs/common';
import { SummariesModule } from '../../summaries/summaries.module.js';
import { PipelineModule } from '../pipeline.module.js';
import { SummarizingStep } from './summarizing.step.js';

@Module({ imports: [PipelineModule, SummariesModule], providers: [SummarizingStep] })
export class SummarizingModule {}
