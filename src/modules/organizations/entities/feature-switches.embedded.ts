import { Column } from 'typeorm';
import type { FeatureSwitches } from '../../../policy/plans.js';

/** The five switches that organizations and members both carry; on unless turned off. */
export class FeatureSwitchColumns implements FeatureSwitches {
  @Column('boolean', { name: 'feature_downloads', default: true })
  downloads: boolean;

  @Column('boolean', { name: 'feature_sharing', default: true })
  sharing: boolean;

  @Column('boolean', { name: 'feature_transcription', default: true })
  transcription: boolean;

  @Column('boolean', { name: 'feature_summaries', default: true })
  summaries: boolean;

  @Column('boolean', { name: 'feature_questions', default: true })
  questions: boolean;
}
