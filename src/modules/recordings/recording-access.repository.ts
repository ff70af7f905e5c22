import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import { isUuid } from '../../platform/ids.js';
import type { Plan, SubscriptionStatus, UserPlan } from '../../policy/plans.js';
import type { ContentStatus, RecordingStatus } from '../../policy/recording-status.js';
import type { AccessFacts } from '../../policy/recording-access.js';
import type { Role } from '../../policy/roles.js';
import type { Summary, SummaryTopic } from '../summaries/entities/summary.entity.js';
import { switchesOf, switchesSql } from './feature-switches.sql.js';

/** A recording with what is known of its content, without the texts themselves. */
export interface RecordingRow {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly owner_id: string | null;
  readonly organization_id: string | null;
  readonly folder_id: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
  readonly status_reason: string | null;
  /** Seconds. */
  readonly duration: number | null;
  readonly media_key: string | null;
  readonly media_type: string | null;
  readonly package_key: string | null;
  readonly transcript_status: ContentStatus | null;
  readonly transcript_language: string | null;
  readonly transcript_speakers: string[] | null;
  readonly transcript_segments_count: number | null;
  readonly transcript_duration: number | null;
  readonly transcript_status_reason: string | null;
  readonly transcript_revision: number | null;
}

/** The texts that a recording holds beside its transcript. */
export interface RecordingTexts {
  readonly notes: string;
  readonly summary: StoredSummary | null;
}

export type StoredSummary = Pick<Summary, 'status' | 'statusReason' | 'content' | 'topics'>;

interface AccessRow extends RecordingRow {
  readonly owner_plan: UserPlan | null;
  readonly organization_plan: Plan | null;
  readonly subscription_status: SubscriptionStatus;
  readonly subscription_ends_at: Date | null;
  readonly organization_switches: number;
  readonly role: Role | null;
  readonly view_all_recordings: boolean;
  readonly view_folder_recordings: boolean;
  readonly member_switches: number;
  readonly folder_active: boolean | null;
  readonly folder_open: boolean;
}

interface TextsRow {
  readonly notes: string;
  readonly summary_status: ContentStatus | null;
  readonly summary_status_reason: string | null;
  readonly summary_content: string | null;
  readonly summary_topics: SummaryTopic[];
}

/** `$1` the recording, `$2` the viewer or null. */
const accessSql = (texts: { readonly columns: string; readonly join: string }): string => `
  SELECT r.id, r.title, r.status, r.progress, r.owner_id, r.organization_id, r.folder_id,
         r.created_at, r.updated_at, r.started_at, r.ended_at,
         r.status_reason, r.duration, r.media_key, r.media_type, r.package_key,
         t.status AS transcript_status, t.language AS transcript_language, t.speakers AS transcript_speakers,
         t.segments_count AS transcript_segments_count, t.duration AS transcript_duration,
         t.status_reason AS transcript_status_reason, t.revision AS transcript_revision,
         u.plan AS owner_plan,
         o.plan AS organization_plan, o.subscription_status, o.subscription_ends_at,
         ${switchesSql('o')} AS organization_switches,
         m.role, m.view_all_recordings, m.view_folder_recordings, ${switchesSql('m')} AS member_switches,
         f.active AS folder_active, (NOT f.restricted OR fm.user_id IS NOT NULL) AS folder_open${texts.columns}
  FROM recordings r
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = $2
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = $2
  LEFT JOIN transcripts t ON t.recording_id = r.id${texts.join}
  WHERE r.id = $1`;

const ACCESS = { name: 'recording-access', text: accessSql({ columns: '', join: '' }) };
const ACCESS_AND_TEXTS = {
  name: 'recording-access-and-texts',
  text: accessSql({
    columns: `, r.notes, s.status AS summary_status, s.status_reason AS summary_status_reason,
         s.content AS summary_content, s.topics AS summary_topics`,
    join: `
  LEFT JOIN summaries s ON s.recording_id = r.id`,
  }),
};

@Injectable()
export class RecordingAccessRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** One recording and all that the access decision about it rests on, in one statement; null when there is none. */
  async find(
    recordingId: string,
    viewerId: string | null,
  ): Promise<{ row: RecordingRow; facts: AccessFacts } | null> {
    if (!isUuid(recordingId)) return null;
    const [row] = await preparedQuery<AccessRow>(this.dataSource, ACCESS, [recordingId, viewerId]);
    return row ? { row, facts: toFacts(row) } : null;
  }

  /** The same with its texts, which may be long. */
  async findWithTexts(
    recordingId: string,
    viewerId: string,
  ): Promise<{ row: RecordingRow; facts: AccessFacts; texts: RecordingTexts } | null> {
    if (!isUuid(recordingId)) return null;
    const values = [recordingId, viewerId];
    const [row] = await preparedQuery<AccessRow & TextsRow>(this.dataSource, ACCESS_AND_TEXTS, values);
    return row ? { row, facts: toFacts(row), texts: toTexts(row) } : null;
  }
}

function toTexts(row: TextsRow): RecordingTexts {
  const summary = row.summary_status && {
    status: row.summary_status,
    statusReason: row.summary_status_reason,
    content: row.summary_content,
    topics: row.summary_topics,
  };
  return { notes: row.notes, summary };
}

function toFacts(row: AccessRow): AccessFacts {
  return {
    ownerId: row.owner_id,
    organizationId: row.organization_id,
    folder: row.folder_active ? { open: row.folder_open } : null,
    status: row.status,
    createdAt: row.created_at,
    transcriptionStatus: row.transcript_status ?? 'not_started',
    ownerPlan: row.owner_plan,
    organization: row.organization_plan && {
      plan: row.organization_plan,
      subscription: { status: row.subscription_status, endsAt: row.subscription_ends_at },
      features: switchesOf(row.organization_switches),
    },
    membership: row.role && {
      role: row.role,
      viewAllRecordings: row.view_all_recordings,
      viewFolderRecordings: row.view_folder_recordings,
      features: switchesOf(row.member_switches),
    },
  };
}
