import { randomBytes } from 'node:crypto';
import { oneRecording, readOne } from './access.js';
import { Refusal } from './refusal.js';

export const SHARED = {
  name: 'shared',
  text: oneRecording(
    `link.id AS link_id, link.token, link.expires_at, link.password_hash IS NOT NULL AS has_password`,
    `LEFT JOIN share_links link ON link.recording_id = r.id AND link.permission = $3::text
       AND (link.expires_at IS NULL OR link.expires_at > now())`,
  ),
};

/** Takes the place of an expired link; no row when there is another by now. */
const INSERT = {
  name: 'share',
  text: `INSERT INTO share_links AS link (id, recording_id, permission, token, created_by, created_at)
    VALUES ($1, $2, $3, $4, $5, now())
    ON CONFLICT (recording_id, permission) DO UPDATE SET id = excluded.id, token = excluded.token,
      created_by = excluded.created_by, created_at = excluded.created_at, expires_at = NULL, password_hash = NULL,
      view_count = 0, last_viewed_at = NULL
    WHERE link.expires_at <= now()
    RETURNING id AS link_id, token, expires_at, password_hash IS NOT NULL AS has_password`,
};

/** `POST /recordings/:id/share-link`: the link that there is, or a new one. */
export async function postShareLink(context, caller, id, body) {
  const permission = (body === '' ? {} : JSON.parse(body)).permission ?? 'view';
  const { row, terms } = await readOne(context.pool, SHARED, id, caller, permission);
  if (!terms.has('sharing') || (permission === 'download' && !terms.has('downloads'))) throw new Refusal(403);
  const link = row.link_id === null ? await insert(context.pool, caller, id, permission) : row;
  if (!link) return postShareLink(context, caller, id, body);
  return JSON.stringify({
    data: {
      id: link.link_id,
      share_url: `${context.addresses.publicUrl}/s/${link.token}`,
      share_token: link.token,
      permission,
      expires_at: link.expires_at?.toISOString() ?? null,
      has_password: link.has_password,
    },
  });
}

async function insert(pool, caller, recordingId, permission) {
  const values = [newId(), recordingId, permission, randomBytes(24).toString('base64url'), caller.id];
  const { rows } = await pool.query({ ...INSERT, values });
  return rows[0];
}

/** UUID version 7. */
function newId() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = (bytes[6] & 0x0f) | 0x70;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
