import { withoutKey, type Viewer } from '../../../policy/caller.js';

/** For whom a webhook reads events. */
export interface WebhookReader {
  /** The user responsible for it; null for a test of one for which nobody is. */
  readonly reader: string | null;
  /** The organization that it belongs to; null for a personal one. */
  readonly home: string | null;
}

/** Groups what has the same reader, so that what this may see is read only once. */
export function byReader<Row extends WebhookReader>(
  rows: readonly Row[],
): readonly (readonly [Row, ...Row[]])[] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const name = `${row.reader} ${row.home}`;
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  }
  return [...groups.values()];
}

/** What this user may see; of an organization's webhook, which all its managers read, nothing from elsewhere. */
export const viewerFor = (reader: string, home: string | null): Viewer => ({
  ...withoutKey(reader),
  ...(home === null ? {} : { organizationIds: [home] }),
});
