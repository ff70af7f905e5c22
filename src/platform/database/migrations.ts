import { CreateSchema1763600000000 } from './migrations/1763600000000-create-schema.js';
import { CreateUploads1763700000000 } from './migrations/1763700000000-create-uploads.js';
import { AddContentWork1763800000000 } from './migrations/1763800000000-add-content-work.js';
import { CreateSearch1763900000000 } from './migrations/1763900000000-create-search.js';
import { AddShareLinkControl1764000000000 } from './migrations/1764000000000-add-share-link-control.js';
import { CountRecordings1764100000000 } from './migrations/1764100000000-count-recordings.js';
import { OrderUploads1764200000000 } from './migrations/1764200000000-order-uploads.js';
import { StoreSummaryHtml1764300000000 } from './migrations/1764300000000-store-summary-html.js';
import { AddSeparateShareLinks1764400000000 } from './migrations/1764400000000-add-separate-share-links.js';
import { TieShareLinksToMembers1764410000000 } from './migrations/1764410000000-tie-share-links-to-members.js';
import { CountShareLinksExactly1764500000000 } from './migrations/1764500000000-count-share-links-exactly.js';
import { AddAutomaticTranscription1764600000000 } from './migrations/1764600000000-add-automatic-transcription.js';
import { DraftTranscripts1764610000000 } from './migrations/1764610000000-draft-transcripts.js';
import { AddRateLimits1764620000000 } from './migrations/1764620000000-add-rate-limits.js';
import { AddQuotas1764630000000 } from './migrations/1764630000000-add-quotas.js';
import { SealShareTokens1764640000000 } from './migrations/1764640000000-seal-share-tokens.js';
import { DescribeUploads1764650000000 } from './migrations/1764650000000-describe-uploads.js';
import { LevelUploadParts1764651000000 } from './migrations/1764651000000-level-upload-parts.js';
import { AddUploadSources1764660000000 } from './migrations/1764660000000-add-upload-sources.js';
import { ReplaceMedia1764670000000 } from './migrations/1764670000000-replace-media.js';
import { DescribeSources1764680000000 } from './migrations/1764680000000-describe-sources.js';
import { ExtendSearch1764690000000 } from './migrations/1764690000000-extend-search.js';
import { KeepTranscriptRevisions1764700000000 } from './migrations/1764700000000-keep-transcript-revisions.js';
import { MarkRecordingsWithoutMedia1764710000000 } from './migrations/1764710000000-mark-recordings-without-media.js';
import { ManageOrganizations1764720000000 } from './migrations/1764720000000-manage-organizations.js';
import { NoteImportedSummaries1764725000000 } from './migrations/1764725000000-note-imported-summaries.js';
import { CreateChangeLog1764730000000 } from './migrations/1764730000000-create-change-log.js';
import { LogRecordingChanges1764731000000 } from './migrations/1764731000000-log-recording-changes.js';
import { LogOrganizationChanges1764732000000 } from './migrations/1764732000000-log-organization-changes.js';
import { GuardChangeLog1764733000000 } from './migrations/1764733000000-guard-change-log.js';
import { SealChangeLog1764733500000 } from './migrations/1764733500000-seal-change-log.js';
import { CreateWebhooks1764734000000 } from './migrations/1764734000000-create-webhooks.js';
import { NoteRecordingChanges1764740000000 } from './migrations/1764740000000-note-recording-changes.js';
import { AddIdempotencyKeys1764745000000 } from './migrations/1764745000000-add-idempotency-keys.js';
import { ReindexDenseScripts1764750000000 } from './migrations/1764750000000-reindex-dense-scripts.js';
import { LetMembersTakeRecordings1764760000000 } from './migrations/1764760000000-let-members-take-recordings.js';
import { AnswerForWebhooks1764765000000 } from './migrations/1764765000000-answer-for-webhooks.js';
import { VerifyEmailAddresses1764770000000 } from './migrations/1764770000000-verify-email-addresses.js';
import { KeepNoLostKeys1764785000000 } from './migrations/1764785000000-keep-no-lost-keys.js';
import { EraseCopies1764775000000 } from './migrations/1764775000000-erase-copies.js';
import { ShareRateLimits1764780000000 } from './migrations/1764780000000-share-rate-limits.js';

/** All migrations, oldest first. Add new ones at the end; never change one that has been released. */
export const MIGRATIONS = [
  CreateSchema1763600000000,
  CreateUploads1763700000000,
  AddContentWork1763800000000,
  CreateSearch1763900000000,
  AddShareLinkControl1764000000000,
  CountRecordings1764100000000,
  OrderUploads1764200000000,
  StoreSummaryHtml1764300000000,
  AddSeparateShareLinks1764400000000,
  TieShareLinksToMembers1764410000000,
  CountShareLinksExactly1764500000000,
  AddAutomaticTranscription1764600000000,
  DraftTranscripts1764610000000,
  AddRateLimits1764620000000,
  AddQuotas1764630000000,
  SealShareTokens1764640000000,
  DescribeUploads1764650000000,
  LevelUploadParts1764651000000,
  AddUploadSources1764660000000,
  ReplaceMedia1764670000000,
  DescribeSources1764680000000,
  ExtendSearch1764690000000,
  KeepTranscriptRevisions1764700000000,
  MarkRecordingsWithoutMedia1764710000000,
  ManageOrganizations1764720000000,
  NoteImportedSummaries1764725000000,
  CreateChangeLog1764730000000,
  LogRecordingChanges1764731000000,
  LogOrganizationChanges1764732000000,
  GuardChangeLog1764733000000,
  SealChangeLog1764733500000,
  CreateWebhooks1764734000000,
  NoteRecordingChanges1764740000000,
  AddIdempotencyKeys1764745000000,
  ReindexDenseScripts1764750000000,
  LetMembersTakeRecordings1764760000000,
  AnswerForWebhooks1764765000000,
  VerifyEmailAddresses1764770000000,
  EraseCopies1764775000000,
  ShareRateLimits1764780000000,
  KeepNoLostKeys1764785000000,
];
