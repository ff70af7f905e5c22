import { Module } from '@nestjs/common';
import { InstallationMetricsService } from './installation-metrics.service.js';

@Module({ providers: [InstallationMetricsService] })
export class MetricsModule {}
