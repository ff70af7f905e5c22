import { iso, TERM_FLAGS, TERMS } from './terms.js';
import { totalOf } from './total.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What a user can see, as disjoint streams: the condition `matches` on `recordings r`, for each row of `source` that `only`
 * selects. One index returns each in list order. `scope`: the organization or folder that the stream covers completely.
 */
const PERSONAL = {
  source: '(SELECT) s',
  only: 'true',
  matches: 'r.owner_id = $1::uuid AND r.organization_id IS NULL',
};
const OF_MEMBERSHIPS = [
  {
    source: 'memberships s',
    only: 's.sees_all',
    matches: 'r.organization_id = s.organization_id',
    scope: 's.organization_id',
  },
  {
    source: 'memberships s',
    only: 'NOT s.sees_all',
    matches: `r.organization_id = s.organization_id AND r.owner_id = $1::uuid
      AND (r.folder_id IS NULL OR r.folder_id NOT IN (SELECT id FROM open_folders))`,
  },
  { source: 'open_folders s', only: 'true', matches: 'r.folder_id = s.id', scope: 's.id' },
];
const OF_FOLDER = [
  { source: 'folder s', only: 's.whole', matches: 'r.folder_id = s.id', scope: 's.id' },
  { source: 'folder s', only: 'NOT s.whole', matches: 'r.folder_id = s.id AND r.owner_id = $1::uuid' },
];

const OPEN = `(NOT f.restricted OR EXISTS (
    SELECT FROM folder_members fm WHERE fm.folder_id = f.id AND fm.user_id = $1::uuid))`;
/** For organizations that are visible only in part. */
const OPEN_FOLDERS = `open_folders AS MATERIALIZED (
    SELECT f.id FROM memberships m JOIN folders f ON f.organization_id = m.organization_id
    WHERE NOT m.sees_all AND m.view_folder_recordings AND f.active AND ${OPEN})`;
const ONE_FOLDER = (parameter) => `folder AS (
    SELECT f.id, m.sees_all OR (m.view_folder_recordings AND ${OPEN}) AS whole
    FROM memberships m JOIN folders f ON f.organization_id = m.organization_id
    WHERE f.active AND f.id = ${parameter}::uuid)`;

/** One statement for memberships, page and total. `query`: the parameters of the request. */
export function listStatement(userId, query) {
  const values = [userId];
  const bind = (value) => `$${values.push(value)}`;
  const limit = Number(query.get('limit') ?? 20);
  const offset = Number(query.get('offset') ?? 0);
  const end = { limit: bind(limit), offset: bind(offset) };
  const organization = query.has('organization_id') ? bind(query.get('organization_id')) : null;
  const folder = query.has('folder_id') ? bind(query.get('folder_id')) : null;
  const conditions = conditionsOf(query, bind);
  const text = statementText({ end, organization, folder, conditions });
  return { statement: { name: nameOf(query), text }, values, limit, offset };
}

const SHAPE = ['organization_id', 'folder_id', 'status', 'date_from', 'date_to', 'search'];
const nameOf = (query) => ['list', ...SHAPE.filter((name) => query.has(name))].join(' ');

function conditionsOf(query, bind) {
  const given = (name, condition) => (query.has(name) ? ` AND ${condition(query.get(name))}` : '');
  return {
    status: given('status', (status) => `r.status = ${bind(status)}::text`),
    rest: [
      given('date_from', (from) => `r.created_at >= ${bind(new Date(from))}::timestamptz`),
      given('date_to', (to) => `r.created_at <= ${bind(endOf(to))}::timestamptz`),
      given('search', (text) => `r.title_folded LIKE ${bind(patternOf(text))}::text`),
    ].join(''),
  };
}

const patternOf = (text) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** A plain date includes that whole day. */
function endOf(text) {
  const date = new Date(text);
  return text.length === 10 ? new Date(date.getTime() + DAY_MS - 1) : date;
}

function statementText({ end, organization, folder, conditions }) {
  const streams = folder ? OF_FOLDER : organization ? OF_MEMBERSHIPS : [PERSONAL, ...OF_MEMBERSHIPS];
  const firsts = streams.map(
    ({ source, only, matches }) => `SELECT first.id, first.created_at FROM ${source} CROSS JOIN LATERAL (
        SELECT r.id, r.created_at FROM recordings r WHERE ${matches}${conditions.status}${conditions.rest}
        ORDER BY r.created_at DESC, r.id LIMIT ${end.limit}::bigint + ${end.offset}::bigint) first WHERE ${only}`,
  );
  return `WITH
    memberships AS MATERIALIZED (
      SELECT m.organization_id, m.role, m.role IN ('OWNER', 'ADMIN') OR m.view_all_recordings AS sees_all,
        m.view_folder_recordings, ${TERMS}
      FROM organization_members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = $1::uuid${organization ? ` AND m.organization_id = ${organization}::uuid` : ''}),
    ${folder ? ONE_FOLDER(folder) : OPEN_FOLDERS},
    page AS (SELECT id, created_at FROM (${firsts.join(' UNION ALL ')}) merged
      ORDER BY created_at DESC, id LIMIT ${end.limit}::bigint OFFSET ${end.offset}::bigint),
    total AS (${totalOf(streams, conditions)})
    SELECT total.total, ${organization ? 'EXISTS (SELECT FROM memberships)' : 'true'} AS member,
      r.id, r.title, r.status, r.progress, ${iso('r.created_at')} AS created_at, r.package_key IS NOT NULL AS packaged,
      r.media_key IS NOT NULL AS has_media, r.without_media, r.duration, r.owner_id, u.name AS owner_name, r.external_id, r.metadata,
      r.organization_id, f.id AS folder_id, t.status AS t_status,
      CASE WHEN r.organization_id IS NULL OR s.role = 'EDITOR' THEN r.owner_id = $1::uuid
        ELSE s.role IN ('OWNER', 'ADMIN') END AS may_change,
      s.plan, s.subscribed, ${TERM_FLAGS.map((name) => `s.${name}`).join(', ')}
    FROM total LEFT JOIN page ON true
    LEFT JOIN recordings r ON r.id = page.id
    LEFT JOIN memberships s ON s.organization_id = r.organization_id
    LEFT JOIN transcripts t ON t.recording_id = r.id
    LEFT JOIN users u ON u.id = r.owner_id
    LEFT JOIN folders f ON f.id = r.folder_id AND f.deleted_at IS NULL
    ORDER BY page.created_at DESC, page.id`;
}
