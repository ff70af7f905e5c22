import type { DataSource } from 'typeorm';
import { preparedQuery, type PreparedStatement } from '../../../platform/database/prepared-query.js';
import type { OpenLink } from './public/open-share.js';

const COLUMNS = `id, recording_id AS "recordingId", organization_id AS "organizationId", created_by AS "createdBy", permission,
  expires_at AS "expiresAt", password_hash AS "passwordHash"`;

// Prepared: one plan per connection, not one for each of the requests that a player sends for its segments.
const BY_TOKEN: PreparedStatement = {
  name: 'share-link-by-token',
  shared: true,
  text: `SELECT ${COLUMNS} FROM share_links WHERE token_hash = $1`,
};
const BY_ID: PreparedStatement = {
  name: 'share-link-by-id',
  shared: true,
  text: `SELECT ${COLUMNS} FROM share_links WHERE id = $1`,
};

export async function findLinkByToken(dataSource: DataSource, hash: Buffer): Promise<OpenLink | undefined> {
  const [link] = await preparedQuery<OpenLink>(dataSource, BY_TOKEN, [hash]);
  return link;
}

export async function findLinkById(dataSource: DataSource, id: string): Promise<OpenLink | undefined> {
  const [link] = await preparedQuery<OpenLink>(dataSource, BY_ID, [id]);
  return link;
}
