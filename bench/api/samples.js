import { LARGE } from './data.js';

const READ = 200;

/** The requested recordings of the large organization: visible to all its members, as they are in open folders. */
export async function samplesOf(client) {
  const ids = async (rest) => {
    const open = `SELECT r.id FROM recordings r
      JOIN folders f ON f.id = r.folder_id AND f.active AND NOT f.restricted
      LEFT JOIN transcripts t ON t.recording_id = r.id WHERE r.organization_id = $1`;
    const { rows } = await client.query(`${open} AND ${rest}`, [LARGE]);
    return rows.map(({ id }) => id);
  };
  return {
    /** With a transcript and a summary. */
    read: await ids(`t.recording_id IS NOT NULL ORDER BY r.created_at LIMIT ${READ}`),
    /** Long enough for a page of 50 chunks. */
    long: await ids('t.segments_count >= 1000 ORDER BY r.created_at'),
    /** Without a share link. */
    unshared: await ids(
      `t.recording_id IS NULL AND NOT EXISTS (SELECT FROM share_links link WHERE link.recording_id = r.id)
       ORDER BY r.created_at`,
    ),
  };
}
