import type { FieldDifference } from './differences.js';

const KINDS = ['users', 'apiKeys', 'organizations', 'folders', 'members', 'recordings'] as const;
export type EntryKind = (typeof KINDS)[number];

/** Differences beyond these are only counted. */
const MOST_LISTED = 1_000;

/** Entries of one kind. Those that existed are `updated`, or `different` if all that differs was left as it is, or `unchanged`. */
export interface ImportCount {
  created: number;
  /** The sum of the next three. */
  existing: number;
  updated: number;
  unchanged: number;
  different: number;
}

/** A field of an existing entry about which the file says something else than the database did. Values are fit for a terminal. */
export interface ListedDifference {
  readonly entry: string;
  readonly field: string;
  readonly database: string;
  readonly file: string;
  readonly updated: boolean;
  /** Why it was left as it is, if not for want of an update; or what an update brought with it. */
  readonly note: string | null;
}

export interface ImportReport extends Readonly<Record<EntryKind, ImportCount>> {
  readonly differences: readonly ListedDifference[];
  /** How many more there are than are listed. */
  readonly moreDifferences: number;
}

/** Collects what an import did. */
export class ImportLog {
  private readonly counts = new Map<EntryKind, ImportCount>(
    KINDS.map((kind) => [kind, { created: 0, existing: 0, updated: 0, unchanged: 0, different: 0 }]),
  );
  /** Of users and their keys, which are compared last but listed first. */
  private readonly ofUsers: ListedDifference[] = [];
  private readonly ofOthers: ListedDifference[] = [];
  private total = 0;

  constructor(private readonly update: boolean) {}

  created(kind: EntryKind): void {
    this.count(kind).created += 1;
  }

  existing(kind: EntryKind, entry: string, differences: readonly FieldDifference<unknown>[]): void {
    const count = this.count(kind);
    const isUpdated = this.update && differences.some(({ change }) => change !== null);
    count.existing += 1;
    if (isUpdated) count.updated += 1;
    else if (differences.length > 0) count.different += 1;
    else count.unchanged += 1;
    for (const { field, database, file, change, note } of differences) {
      const updated = this.update && change !== null;
      // What an update would bring with it has not happened.
      const said = updated || change === null ? note : null;
      const listed = kind === 'users' || kind === 'apiKeys' ? this.ofUsers : this.ofOthers;
      this.total += 1;
      if (listed.length < MOST_LISTED) listed.push({ entry, field, database, file, updated, note: said });
    }
  }

  report(): ImportReport {
    const counts = Object.fromEntries(this.counts) as Record<EntryKind, ImportCount>;
    const differences = [...this.ofUsers, ...this.ofOthers].slice(0, MOST_LISTED);
    return { ...counts, differences, moreDifferences: this.total - differences.length };
  }

  private count(kind: EntryKind): ImportCount {
    return this.counts.get(kind)!;
  }
}

/** What the command line prints. */
export function describe(report: ImportReport): string {
  const counts = KINDS.map((kind) => {
    const { created, updated, unchanged, different } = report[kind];
    return `${kind}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${different} different`;
  });
  const more = report.moreDifferences > 0 ? [`and ${report.moreDifferences} more`] : [];
  return [...counts, ...report.differences.map(lineOf), ...more, ...conclusion(report)].join('\n');
}

function lineOf({ entry, field, database, file, updated, note }: ListedDifference): string {
  if (updated) return `${entry}: ${field} was ${database}, is now ${file}${note === null ? '' : `; ${note}`}`;
  return `${entry}: ${field} is ${database}, the file says ${file} (left as is${note === null ? '' : `: ${note}`})`;
}

function conclusion(report: ImportReport): string[] {
  const isChanged = KINDS.some((kind) => report[kind].created + report[kind].updated > 0);
  const couldUpdate = report.differences.some(({ updated, note }) => !updated && note === null);
  return [
    ...(isChanged ? [] : ['Nothing was changed.']),
    ...(couldUpdate ? ['Run with --update to change these to the values in the file.'] : []),
  ];
}
