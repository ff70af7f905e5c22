import {
  findForOperator,
  listForOperator,
  listScopes,
  type OperatorRecording,
} from '../../../modules/recordings/operator/operator-recordings.queries.js';
import { presentMatch } from '../../../modules/search/dto/found-recording.response.dto.js';
import { searchPage } from '../../../modules/search/found/search-page.js';
import { isQuestion } from '../../../modules/search/query/question-words.js';
import { parseSearchQuery } from '../../../modules/search/query/search-query.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { sql } from '../../../platform/database/sql.js';
import { isUuid } from '../../../platform/ids.js';
import { bytesText } from '../../../lib/amounts.js';
import { singleLine } from '../../../lib/text.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { placeOf } from '../existing-database.js';
import { notFound, usageError } from '../exit-status.js';
import { findUserId, type UserOptions } from '../lookups.js';
import { searchText } from '../option-values.js';
import { print, printList, type ListOptions, type Output } from '../output.js';
import { withReader, type Reader } from '../reader.js';
import {
  detailLines,
  FOUND,
  LISTED,
  noteInstead,
  ownerOf,
  plainText,
  searchWords,
  withReason,
} from './recording-lines.js';

const PAGE_SIZE = 1_000;

interface Filters extends ListOptions, UserOptions {
  readonly organization?: string;
  readonly status?: RecordingStatus;
}

export async function listRecordings(options: Filters): Promise<void> {
  const search = searchText(options);
  const { organization: organizationId, status } = options;
  if (organizationId !== undefined && !isUuid(organizationId))
    throw usageError(
      `--organization: must be the id of an organization (orgs list), not "${organizationId}"`,
    );
  await withReader(async (reader) => {
    const filters = { search, ownerId: await findUserId(reader, options), organizationId, status };
    await printList(
      options,
      ({ limit, cursor }) =>
        listForOperator(reader.manager, { ...filters, limit, after: readCursor(cursor) }),
      { ...LISTED, pageSize: PAGE_SIZE },
    );
  });
}

export async function getRecording(id: string, options: Output): Promise<void> {
  await withReader(async (reader) => {
    const recording = await requireRecording(reader, id);
    const { owner, organization, transcription, transcriptionReason } = recording;
    const more = [
      ['size', bytesText(recording.storedBytes)],
      ['owner', owner ? `${ownerOf(recording)} <${singleLine(owner.email)}> ${owner.id}` : '-'],
      ['organization', organization ? `${singleLine(organization.name)} ${organization.id}` : '-'],
      ['transcript', withReason(transcription, transcriptionReason)],
      ['summary', recording.summary],
    ] as const;
    print(options, recording, detailLines(recording, more));
  });
}

/** `recordings search TEXT`: everything that was said or written, of everyone. */
export async function searchRecordings(given: string, options: ListOptions): Promise<void> {
  const query = parseSearchQuery(searchWords(given));
  await withReader(async ({ manager }) => {
    const all = { openFrom: '-infinity', transcripts: true, summaries: true };
    const readable = (await listScopes(manager)).map((id) => ({ id, ...all }));
    const search = { query, asks: isQuestion(given), speaker: undefined, visible: sql`true`, readable };
    const { rows, instead } = await manager.transaction('REPEATABLE READ', (within) =>
      searchPage(within, { ...search, limit: options.limit, offset: 0 }),
    );
    noteInstead(given, instead);
    const matches = new Map(rows.map((row) => [row.id, row.matches.map(presentMatch)]));
    const recordings = await findForOperator(manager, [...matches.keys()]);
    const found = recordings.map((recording) => {
      const own = matches.get(recording.id) ?? [];
      const passages = own.map(({ snippet }) => plainText(snippet));
      return { ...recording, passages, matches: own };
    });
    await printList(options, async () => ({ rows: found }), FOUND);
  });
}

/** The recording with this id; exit status 4 if there is none. */
export async function requireRecording(
  { manager, settings }: Pick<Reader, 'manager' | 'settings'>,
  id: string,
): Promise<OperatorRecording> {
  const [recording] = isUuid(id) ? await findForOperator(manager, [id]) : [];
  if (recording) return recording;
  throw notFound(`${id}: there is no recording with this id in ${placeOf(settings)} (recordings list)`);
}
