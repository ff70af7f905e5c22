import type { DataSource } from 'typeorm';
import { preparedQuery } from '../../platform/database/prepared-query.js';

/**
 * Prepared: one plan per connection for a lookup by primary key on every share page. What it reads was rendered once, when the
 * summary was written: others wait no more than 34 ms (p99) while pages with 18,748 references are served (`docs/performance.md`, 1a).
 */
const HTML = { name: 'summary-html', text: 'SELECT html FROM summaries WHERE recording_id = $1' };

/** Returns the stored HTML of a summary; null if its content has to be shown as text. */
export async function findSummaryHtml(dataSource: DataSource, recordingId: string): Promise<string | null> {
  const [found] = await preparedQuery<{ html: string | null }>(dataSource, HTML, [recordingId]);
  return found?.html || null;
}
