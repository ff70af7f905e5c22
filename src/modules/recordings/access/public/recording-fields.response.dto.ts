import {
  UrlProperty,
  EnumProperty,
  DecimalProperty,
  IdProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../../platform/openapi/field.decorator.js';
import {
  MEDIA_STATES,
  RECORDING_STATUSES,
  SHOWN_STATUSES,
  type MediaState,
  type RecordingStatus,
} from '../../../../policy/recording-status.js';
import { AppliedRetentionRule } from './retention.response.dto.js';
import type { Recording } from '../entities/recording.entity.js';
import { ExternalIdProperty, MetadataProperty } from '../../../../contract/external-ids.js';
import { LIMITS } from '../../../../contract/limits.js';

const MEDIA = 'http://localhost:3000/media/01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90/';
export const KEY_EXAMPLE = 'key=01998a3c-0a11-7d52-8c6e-51f0c3a7b204&expires=1769855400';

/** A signed URL; null if there is none. `example` follows the URL of the recording's media. */
export const MediaUrlProperty = (description: string, example: string): PropertyDecorator =>
  UrlProperty(description, { example: MEDIA + example, nullable: true });

/** The status of a transcript or a summary. */
export const ContentStatusProperty = (description: string, example = 'completed'): PropertyDecorator =>
  EnumProperty(description, { values: SHOWN_STATUSES, name: 'ContentStatus', example });

export class RecordingOwner {
  @IdProperty('Identifier of the user')
  id: string;

  @TextProperty('Name; null in webhooks, whose requests are kept', {
    example: 'Ada Lovelace',
    nullable: true,
  })
  name: string | null;
}

/** Fields of both list item and detail. */
export class RecordingFields {
  @IdProperty('Identifier of the recording')
  id: string;

  @EnumProperty(
    'Status of the recording; it is playable in `MIGRATING` and `COMPLETED`, unless `media` is `none`',
    { values: RECORDING_STATUSES, name: 'RecordingStatus', example: 'COMPLETED' },
  )
  status: RecordingStatus;

  @TextProperty('Title', { example: 'Weekly sync' })
  title: string;

  @TimestampProperty('When the recording was created')
  createdAt: string;

  @MediaUrlProperty(
    `URL of the thumbnail, a JPEG at most ${LIMITS.thumbnailWidth} pixels wide. Signed: works without an \`Authorization\` header for as long as the other media URLs, while the API key that requested it works and its user sees the recording, even when it is locked. Null until there is one`,
    `thumbnail?${KEY_EXAMPLE}&signature=q2Hs`,
  )
  thumbnailUrl: string | null;

  @DecimalProperty('Fraction of uploading and processing that is done, 0 to 1; 1 when complete', {
    maximum: 1,
    example: 1,
  })
  progress: number;

  @EnumProperty(
    'Whether there is media to play, also while the recording is locked. `pending`: it is being recorded, uploaded or processed. `none`: there is none, and none will come unless it is added (`POST /recordings/{id}/upload`)',
    { values: MEDIA_STATES, name: 'MediaState', example: 'available' },
  )
  media: MediaState;

  @DecimalProperty(
    'Duration of the media in seconds; null until the media has been analyzed. While it is being converted, this is what its header states, or null if it states nothing',
    { example: 1834.2, nullable: true },
  )
  duration: number | null;

  @NestedProperty(
    () => RecordingOwner,
    'Who recorded it, or has taken it over; null if the user has been deleted',
    { nullable: true },
  )
  owner: RecordingOwner | null;

  @ExternalIdProperty()
  externalId: string | null;

  @MetadataProperty()
  metadata: Record<string, string>;

  @IdProperty('Organization the recording belongs to; null for a personal recording', { nullable: true })
  organizationId: string | null;

  @IdProperty('Folder the recording is in; null if none', { nullable: true })
  folderId: string | null;

  @TimestampProperty(
    'When something of it goes by a retention rule, unless it is under legal hold; null: never',
    {
      nullable: true,
      example: null,
    },
  )
  retentionEndsAt: string | null;

  @NestedProperty(() => AppliedRetentionRule, 'The rule that ends first, and what goes by it; null: none', {
    nullable: true,
    example: null,
  })
  retentionRule: AppliedRetentionRule | null;
}

/** What says whose a recording is, where, and how long. */
export interface PlacedRow extends Readonly<
  Pick<Recording, 'ownerId' | 'organizationId' | 'folderId' | 'duration' | 'externalId' | 'metadata'>
> {
  /** Null if it is not shown. */
  readonly ownerName: string | null;
}

export function presentPlace({ ownerId, ownerName, ...row }: PlacedRow) {
  const { organizationId, folderId, duration, externalId, metadata } = row;
  const owner = ownerId === null ? null : { id: ownerId, name: ownerName };
  const given = { externalId, metadata };
  return { duration, owner, ...given, organizationId, folderId } satisfies Partial<RecordingFields>;
}
