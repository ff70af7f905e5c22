import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';
import type { ContentStatus, RecordingStatus } from '../../policy/recording-status.js';
import { listStatement, type ListQuery } from './recording-list.sql.js';
import type { MembershipRow } from './recording-scope.js';
import { featuresJson } from './recording-access.repository.js';

export interface ListedRow {
  readonly id: string;
  readonly title: string;
  readonly status: RecordingStatus;
  readonly progress: number;
  readonly owner_id: string | null;
  readonly organization_id: string | null;
  readonly created_at: Date;
  readonly package_key: string | null;
  readonly transcript_status: ContentStatus | null;
}

/** `$1` the user, `$2` the organization to look at or null for all. */
const MEMBERSHIPS = {
  name: 'recording-memberships',
  text: `
  SELECT m.organization_id, m.role, m.view_all_recordings, m.view_folder_recordings,
         ${featuresJson('m')} AS member_features,
         o.plan, o.subscription_status, o.subscription_ends_at, ${featuresJson('o')} AS organization_features,
         COALESCE((
           SELECT json_agg(json_build_object('id', f.id, 'open', NOT f.restricted OR EXISTS (
             SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = $1)))
           FROM folders f WHERE f.organization_id = m.organization_id AND f.active
         ), '[]'::json) AS folders
  FROM organization_members m JOIN organizations o ON o.id = m.organization_id
  WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.organization_id = $2)`,
};

@Injectable()
export class RecordingListRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The user's memberships, each with its organization's terms and active folders. */
  async memberships(userId: string, organizationId: string | null): Promise<MembershipRow[]> {
    return preparedQuery(this.dataSource, MEMBERSHIPS, [userId, organizationId]);
  }

  /** A page and the total, read in one statement and so from one state of the data. */
  async page(query: ListQuery): Promise<{ rows: ListedRow[]; total: number }> {
    if (query.streams.length === 0) return { rows: [], total: 0 };
    const { sql, parameters } = listStatement(query);
    const found: (ListedRow & { total: string; id: string | null })[] = await this.dataSource.query(
      sql,
      parameters,
    );
    return { rows: found.filter((row) => row.id !== null), total: Number(found[0]?.total ?? 0) };
  }
}
