import { Refusal } from './refusal.js';
import { iso, TERMS, termsOf } from './terms.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Recording `$1` with the given columns, if user `$2` can see it: one statement for access rule, terms and content.
 */
export const oneRecording = (columns, joins = '') => `
  SELECT ${TERMS}, u.plan AS owner_plan, ${iso('r.created_at')} AS created_at,
    CASE WHEN r.organization_id IS NULL OR m.role = 'EDITOR' THEN r.owner_id = $2::uuid
      ELSE m.role IN ('OWNER', 'ADMIN') END AS may_change, ${columns}
  FROM recordings r
  LEFT JOIN users u ON u.id = r.owner_id
  LEFT JOIN organizations o ON o.id = r.organization_id
  LEFT JOIN organization_members m ON m.organization_id = r.organization_id AND m.user_id = $2::uuid
  LEFT JOIN folders f ON f.id = r.folder_id
  LEFT JOIN folder_members fm ON fm.folder_id = r.folder_id AND fm.user_id = $2::uuid
  ${joins}
  WHERE r.id = $1::uuid AND CASE WHEN r.organization_id IS NULL THEN r.owner_id = $2::uuid
    ELSE m.user_id IS NOT NULL AND (m.role IN ('OWNER', 'ADMIN') OR m.view_all_recordings OR r.owner_id = $2::uuid
      OR (m.view_folder_recordings AND f.active AND (NOT f.restricted OR fm.user_id IS NOT NULL))) END`;

/** The row and its terms; rejects like the service. `values` start at `$3`. */
export async function readOne(pool, statement, id, caller, ...values) {
  if (!UUID.test(id)) throw new Refusal(404);
  const { rows } = await pool.query({ ...statement, values: [id, caller.id, ...values] });
  const [row] = rows;
  if (!row) throw new Refusal(404);
  const terms = termsOf(row, row.owner_plan, row.created_at);
  if (terms.expired) throw new Refusal(402);
  return { row, terms };
}
