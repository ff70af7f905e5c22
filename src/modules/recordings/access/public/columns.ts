import type { Plan, SubscriptionStatus } from '../../../../policy/plans.js';
import type { AccessFacts } from '../../../../policy/recording-access.js';
import type { Role } from '../../../../policy/roles.js';
import { decodeFeatureFlags, featureFlagsSql } from '../../../organizations/public/feature-flags.sql.js';

/** A column of a statement: its SQL, and the type of what it returns. */
export interface Column<Type> {
  readonly sql: string;
  /** A timestamp that JSON returns as text. */
  readonly isTime?: true;
  /** Never set; only carries the type. */
  readonly type?: Type;
}

/** Columns by the names that they have in a row. */
export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Selected extends Columns> = {
  readonly [Name in keyof Selected]: Selected[Name] extends Column<infer Type> ? Type : never;
};

export const column = <Type>(sql: string): Column<Type> => ({ sql });

export const time = <Type extends Date | null = Date>(sql: string): Column<Type> => ({ sql, isTime: true });

export const selectList = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, { sql }]) => (sql.endsWith(`.${name}`) ? sql : `${sql} AS ${quoted(name)}`))
    .join(', ');

const quoted = (name: string): string => (/[A-Z]/.test(name) ? `"${name}"` : name);

/** Names those that `readTimes` converts. */
export const timesOf = <Selected extends Columns>(columns: Selected): (keyof Selected)[] =>
  Object.keys(columns).filter((name) => columns[name]?.isTime);

/**
 * What an operation needs from the recording `r` (or its transcript `t`) in addition to `RecordingRow`, read by the
 * statement of the access decision: in the same round trip and from the same snapshot.
 */
export interface ExtraColumns<Row> {
  /** Name of the statement, without the prefix `recording-access-`. */
  readonly name: string;
  /** Each preceded by a comma. Parameters start at `$3`. */
  readonly columns: string;
  readonly join?: string;
  /** Never set; only carries the type of the columns. */
  readonly row?: Row;
}

/** Names the SQL and the type of each extra column in one place. */
export const extraColumns = <Selected extends Columns>(
  name: string,
  columns: Selected,
  join?: string,
): ExtraColumns<RowOf<Selected>> => ({ name, columns: `, ${selectList(columns)}`, join });

/**
 * What the decision takes from an organization and a membership in it, which is the same for all of its recordings.
 * Flags are read by `decodeFeatureFlags`.
 */
export const TERMS = {
  organizationPlan: column<Plan | null>('o.plan'),
  subscriptionStatus: column<SubscriptionStatus>('o.subscription_status'),
  subscriptionEndsAt: time<Date | null>('o.subscription_ends_at'),
  organizationFlags: column<number>(featureFlagsSql('o')),
  /** Whether the organization has retention rules. */
  hasRules: column<boolean>('EXISTS (SELECT FROM organization_retention x WHERE x.organization_id = o.id)'),
  role: column<Role | null>('m.role'),
  viewAllRecordings: column<boolean>('m.view_all_recordings'),
  viewFolderRecordings: column<boolean>('m.view_folder_recordings'),
  memberFlags: column<number>(featureFlagsSql('m')),
};

export type TermsRow = RowOf<typeof TERMS>;

export function toTerms(row: TermsRow): Pick<AccessFacts, 'organization' | 'membership'> {
  return {
    organization: row.organizationPlan && {
      plan: row.organizationPlan,
      subscription: { status: row.subscriptionStatus, endsAt: row.subscriptionEndsAt },
      features: decodeFeatureFlags(row.organizationFlags),
    },
    membership: row.role && {
      role: row.role,
      viewAllRecordings: row.viewAllRecordings,
      viewFolderRecordings: row.viewFolderRecordings,
      features: decodeFeatureFlags(row.memberFlags),
    },
  };
}
