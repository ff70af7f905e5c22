import { ApiKey } from '../modules/api-keys/entities/api-key.entity.js';
import { InvitationFolder } from '../modules/organizations/invitations/entities/invitation-folder.entity.js';
import { Invitation } from '../modules/organizations/invitations/entities/invitation.entity.js';
import { RetiredMedia } from '../modules/media/entities/retired-media.entity.js';
import { EmailedRecipient } from '../modules/organizations/entities/emailed-recipient.entity.js';
import { FolderMember } from '../modules/organizations/entities/folder-member.entity.js';
import { Folder } from '../modules/organizations/entities/folder.entity.js';
import { OrganizationMember } from '../modules/organizations/entities/organization-member.entity.js';
import { OrganizationTransfer } from '../modules/organizations/entities/organization-transfer.entity.js';
import { Organization } from '../modules/organizations/entities/organization.entity.js';
import { Recording } from '../modules/recordings/access/entities/recording.entity.js';
import { SearchEntry } from '../modules/search/index/entities/search-entry.entity.js';
import { Summary } from '../modules/summaries/entities/summary.entity.js';
import { ShareLink } from '../modules/sharing/access/entities/share-link.entity.js';
import { SupersededTranscriptChunk } from '../modules/transcripts/entities/superseded-transcript-chunk.entity.js';
import { TranscriptRevision } from '../modules/transcripts/entities/transcript-revision.entity.js';
import { TranscriptChunk } from '../modules/transcripts/entities/transcript-chunk.entity.js';
import { TranscriptDraftChunk } from '../modules/transcripts/entities/transcript-draft-chunk.entity.js';
import { Transcript } from '../modules/transcripts/entities/transcript.entity.js';
import { UploadPart } from '../modules/uploads/entities/upload-part.entity.js';
import { UploadSource } from '../modules/uploads/entities/upload-source.entity.js';
import { Upload } from '../modules/uploads/entities/upload.entity.js';
import { User } from '../modules/users/entities/user.entity.js';
import { IdempotencyKey } from '../platform/idempotency/idempotency-key.entity.js';
import { WebhookAttempt } from '../modules/webhooks/entities/webhook-attempt.entity.js';
import { WebhookDelivery } from '../modules/webhooks/entities/webhook-delivery.entity.js';
import { WebhookSecret } from '../modules/webhooks/entities/webhook-secret.entity.js';
import { Webhook } from '../modules/webhooks/entities/webhook.entity.js';
import { SealingKey } from '../platform/sealing/sealing-key.entity.js';

/** All entities of the service, for the application and `ormconfig.ts`. */
export const ENTITIES = [
  User,
  ApiKey,
  Organization,
  OrganizationMember,
  Folder,
  FolderMember,
  OrganizationTransfer,
  EmailedRecipient,
  Invitation,
  InvitationFolder,
  Recording,
  Summary,
  Transcript,
  TranscriptChunk,
  TranscriptDraftChunk,
  TranscriptRevision,
  SupersededTranscriptChunk,
  SealingKey,
  ShareLink,
  Upload,
  UploadPart,
  UploadSource,
  SearchEntry,
  RetiredMedia,
  IdempotencyKey,
  Webhook,
  WebhookSecret,
  WebhookDelivery,
  WebhookAttempt,
];
