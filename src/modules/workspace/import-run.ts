import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from 'typeorm';
import { WorkspaceDirectory } from './workspace-directory.js';

const KINDS = ['users', 'apiKeys', 'organizations', 'folders', 'members', 'recordings'] as const;
type EntryKind = (typeof KINDS)[number];

/**
 * Entries of one kind. Those that existed are `unchanged`, or `different` if the file says something else about them.
 */
interface ImportCount {
  created: number;
  unchanged: number;
  different: number;
}

/** An existing entry about which the file says something else than the database. Its name is fit for a terminal. */
interface DifferentEntry {
  readonly entry: string;
  readonly fields: readonly string[];
}

export interface ImportReport extends Readonly<Record<EntryKind, ImportCount>> {
  readonly differences: readonly DifferentEntry[];
}

/** One import, in one transaction, and what it did. */
export class ImportRun {
  private readonly counts = Object.fromEntries(
    KINDS.map((kind) => [kind, { created: 0, unchanged: 0, different: 0 }]),
  ) as Record<EntryKind, ImportCount>;
  private readonly differences: DifferentEntry[] = [];

  readonly directory: WorkspaceDirectory;

  constructor(readonly manager: EntityManager) {
    this.directory = new WorkspaceDirectory(manager);
  }

  created(kind: EntryKind): void {
    this.counts[kind].created += 1;
  }

  /** Compares what exists, field by field, with what the file says. What the file leaves out never differs. */
  compare(
    kind: EntryKind,
    entry: string,
    fields: Readonly<Record<string, readonly [database: unknown, file: unknown]>>,
  ): void {
    const different = Object.entries(fields).flatMap(([field, [database, file]]) =>
      file === undefined || isDeepStrictEqual(database, file) ? [] : [field],
    );
    this.counts[kind][different.length === 0 ? 'unchanged' : 'different'] += 1;
    if (different.length > 0) this.differences.push({ entry, fields: different });
  }

  report(): ImportReport {
    return { ...this.counts, differences: this.differences };
  }
}

/** What the command line prints. */
export function describe(report: ImportReport): string {
  const { differences } = report;
  const counts = KINDS.map((kind) => {
    const { created, unchanged, different } = report[kind];
    return `${kind}: ${created} created, ${unchanged} unchanged, ${different} different`;
  });
  const listed = differences.map(
    ({ entry, fields }) => `${entry}: ${fields.join(', ')} ${fields.length === 1 ? 'differs' : 'differ'}`,
  );
  return [
    ...counts,
    ...listed,
    ...(KINDS.some((kind) => report[kind].created > 0) ? [] : ['Nothing was changed.']),
    ...(differences.length > 0 ? ['What differs was left as it is; the API changes it.'] : []),
  ].join('\n');
}
