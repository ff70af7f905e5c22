import { createHash } from 'node:crypto';
import { Refusal } from './refusal.js';

export const KEY = {
  name: 'key',
  text: `SELECT u.id, u.plan, k.id AS "keyId" FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.hash = $1::bytea AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

export const hashOf = (key) => createHash('sha256').update(key).digest();

/** The user behind a request: `{ id, plan, keyId }`. */
export async function callerOf(pool, authorization = '') {
  if (!authorization.startsWith('Bearer ')) throw new Refusal(401);
  const { rows } = await pool.query({ ...KEY, values: [hashOf(authorization.slice(7))] });
  if (rows.length === 0) throw new Refusal(401);
  return rows[0];
}
