/** How many of each were created, and how many already existed and were left unchanged. */
export type ImportReport = Record<
  'users' | 'apiKeys' | 'organizations' | 'folders' | 'members' | 'recordings',
  ImportCount
>;
export interface ImportCount {
  created: number;
  existing: number;
}

const none = (): ImportCount => ({ created: 0, existing: 0 });

export function newReport(): ImportReport {
  return {
    users: none(),
    apiKeys: none(),
    organizations: none(),
    folders: none(),
    members: none(),
    recordings: none(),
  };
}

export function count(counter: ImportCount, existing: unknown): void {
  if (existing) counter.existing += 1;
  else counter.created += 1;
}
