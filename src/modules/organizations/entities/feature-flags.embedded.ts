import { Column } from 'typeorm';
import type { FeatureFlags } from '../../../policy/plans.js';

/** The five feature flags that both organizations and members have; on by default. */
export class FeatureFlagColumns implements FeatureFlags {
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
