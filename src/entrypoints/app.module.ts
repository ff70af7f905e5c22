import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccountModule } from '../modules/account/account.module.js';
import { AuthGuard } from '../modules/auth/auth.guard.js';
import { ApiKeysModule } from '../modules/api-keys/api-keys.module.js';
import { AuthModule } from '../modules/auth/auth.module.js';
import { DirectoryModule } from '../modules/directory/directory.module.js';
import { ErasuresModule } from '../modules/erasures/erasures.module.js';
import { ExternalIdGuard } from '../modules/external-ids/external-id.guard.js';
import { ExternalIdsModule } from '../modules/external-ids/external-ids.module.js';
import { ExportsModule } from '../modules/exports/exports.module.js';
import { HealthModule } from '../modules/health/health.module.js';
import { InvitationsModule } from '../modules/organizations/invitations/invitations.module.js';
import { LegalHoldsModule } from '../modules/legal-holds/management/legal-holds.module.js';
import { LibraryModule } from '../modules/library/library.module.js';
import { McpModule } from '../modules/mcp/mcp.module.js';
import { ContentKeysModule } from '../modules/media/keys/content-keys.module.js';
import { MediaDeliveryModule } from '../modules/media/delivery/media-delivery.module.js';
import { MetricsModule } from '../modules/metrics/metrics.module.js';
import { OAuthModule } from '../modules/oauth/oauth.module.js';
import { OrganizationsModule } from '../modules/organizations/organizations.module.js';
import { PackagingModule } from '../modules/pipeline/packaging/packaging.module.js';
import { PlansModule } from '../modules/plans/plans.module.js';
import { QuestionsModule } from '../modules/questions/questions.module.js';
import { RecordingsModule } from '../modules/recordings/recordings.module.js';
import { RetentionModule } from '../modules/retention/retention.module.js';
import { SearchModule } from '../modules/search/search.module.js';
import { ServiceAccountsModule } from '../modules/service-accounts/service-accounts.module.js';
import { SharingModule } from '../modules/sharing/sharing.module.js';
import { SignInModule } from '../modules/sign-in/sign-in.module.js';
import { SummarizingModule } from '../modules/pipeline/summarizing/summarizing.module.js';
import { SummariesModule } from '../modules/summaries/summaries.module.js';
import { TranscriptionModule } from '../modules/pipeline/transcription/transcription.module.js';
import { TranscriptsModule } from '../modules/transcripts/transcripts.module.js';
import { UserManagementModule } from '../modules/users/management/user-management.module.js';
import { UsersModule } from '../modules/users/users.module.js';
import { TracksModule } from '../modules/tracks/tracks.module.js';
import { UploadsModule } from '../modules/uploads/uploads.module.js';
import { WebhooksModule } from '../modules/webhooks/webhooks.module.js';
import { WorkspaceModule } from '../modules/workspace/workspace.module.js';
import type { Cleanup } from '../platform/runtime/cleanup.js';
import { SETTINGS, type Settings } from '../platform/config/settings.js';
import { SettingsModule } from '../platform/config/settings.module.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { ErrorFilter } from '../platform/http/replies/error.filter.js';
import { PublicUrl } from '../platform/http/server/public-url.js';
import { RequestGuard } from '../platform/http/requests/request.guard.js';
import { RequestQueue } from '../platform/http/requests/request-queue.js';
import { RequestPipe } from '../platform/http/requests/request.pipe.js';
import { ChangeMarker } from '../platform/idempotency/change-marker.js';
import { TraceMarker } from '../platform/jobs/trace-marker.js';
import { AppLogger, type LogStream } from '../platform/logging/app-logger.js';
import { LoggingModule } from '../platform/logging/logging.module.js';
import { missingSpeechRuntime } from '../lib/speech/speech-runtime.js';
import { PlatformModule } from '../platform/platform.module.js';
import { connectionNeeds } from '../platform/work/work-pool.service.js';
import { PolicyModule } from '../policy/policy.service.js';
import { AuditModule } from '../modules/audit/audit.module.js';
import { SecurityEventsService } from '../modules/audit/security-events.service.js';
import { EventsModule } from '../modules/events/events.module.js';

/** The whole service: platform, policy and modules. */
@Module({})
export class AppModule {
  /** Reads settings from the environment and `.env`, unless they are given. `more`: modules that a test adds. */
  static register(
    cleanup: Cleanup,
    environment?: Readonly<Record<string, string>>,
    log: LogStream = 'stdout',
    more: readonly Type[] = [],
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        SettingsModule.register(environment),
        LoggingModule.register(log),
        DatabaseModule.register(
          { subscribers: [ChangeMarker, TraceMarker], needs: connectionNeeds },
          cleanup,
        ),
        PlatformModule,
        ContentKeysModule,
        PolicyModule.register({
          inject: [SETTINGS],
          useFactory: ({ transcription, autoSummarize }: Settings) => ({
            noTranscriber: transcription === null ? missingSpeechRuntime() : null,
            autoSummarize,
          }),
        }),
        AuthModule,
        ApiKeysModule,
        ExternalIdsModule,
        SignInModule,
        AccountModule,
        LibraryModule,
        // Must come first, or its route would be taken for the id of a recording.
        SearchModule,
        RecordingsModule,
        TranscriptsModule,
        TranscriptionModule,
        SummariesModule,
        QuestionsModule,
        SharingModule,
        OrganizationsModule,
        InvitationsModule,
        ServiceAccountsModule,
        DirectoryModule,
        ErasuresModule,
        PlansModule,
        UsersModule,
        UserManagementModule,
        MediaDeliveryModule,
        TracksModule,
        UploadsModule,
        PackagingModule,
        SummarizingModule,
        EventsModule,
        LegalHoldsModule,
        AuditModule,
        WebhooksModule,
        RetentionModule,
        WorkspaceModule,
        ExportsModule,
        McpModule,
        OAuthModule,
        HealthModule,
        MetricsModule,
        ...more,
      ],
      providers: [
        // Authentication first; only then is the body read and validated.
        { provide: APP_GUARD, useClass: AuthGuard },
        { provide: APP_GUARD, useClass: RequestGuard },
        { provide: APP_GUARD, useClass: RequestQueue },
        { provide: APP_GUARD, useClass: ExternalIdGuard },
        { provide: APP_PIPE, useClass: RequestPipe },
        {
          provide: APP_FILTER,
          inject: [AppLogger, SETTINGS, SecurityEventsService, PublicUrl],
          useFactory: (
            logger: AppLogger,
            settings: Settings,
            events: SecurityEventsService,
            url: PublicUrl,
          ) =>
            new ErrorFilter(
              logger,
              settings.adviceContact,
              (error, request) => events.managementRefused(error, request),
              url,
            ),
        },
      ],
    };
  }
}
