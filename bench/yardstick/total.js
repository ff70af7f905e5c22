/**
 * The exact number of recordings in the streams of a list. `status` and `rest` are conditions on `r`, '' for none. Whole
 * organizations and folders have stored counts by status; the rest is counted in the index.
 */
export const totalOf = (streams, { status, rest }) => `
  SELECT COALESCE(sum(n), 0)::float8 AS total FROM (${streams
    .map(
      (stream) => `SELECT counted.n FROM ${stream.source} CROSS JOIN LATERAL (
        ${stream.scope && rest === '' ? known(stream, status) : counted(stream, status + rest)}) counted
        WHERE ${stream.only}`,
    )
    .join(' UNION ALL ')}) counts`;

const known = ({ scope }, status) => `SELECT sum(c.n) AS n FROM recording_counts c
  WHERE c.scope_id = ${scope} AND c.unit = 'month'${status.replace('r.status', 'c.status')}`;

const counted = ({ matches }, conditions) =>
  `SELECT count(*) AS n FROM recordings r WHERE ${matches}${conditions}`;
