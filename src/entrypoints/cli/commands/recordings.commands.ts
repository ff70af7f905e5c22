import { bytesText } from '../../../lib/amounts.js';
import { singleLine } from '../../../lib/text.js';
import { MediaService } from '../../../modules/media/media.service.js';
import {
  deleteForOperator,
  findForOperator,
  listForOperator,
  listScopes,
  type OperatorRecording,
} from '../../../modules/recordings/operator-recordings.queries.js';
import { presentMatch } from '../../../modules/search/dto/search.dto.js';
import { searchPage } from '../../../modules/search/found/search-page.js';
import { isQuestion, parseSearchQuery } from '../../../modules/search/query/search-query.js';
import { sql } from '../../../platform/database/sql.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { isUuid } from '../../../platform/ids.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { notFound, usageError } from '../exit-status.js';
import { findUserId, placeOf, withDatabase, withService, type Host, type UserOptions } from '../host.js';
import { pageQuery } from '../option-values.js';
import { print, printList, rowsOf, type ListOptions, type Output } from '../output.js';
import type { Confirmable } from '../prompts.js';
import {
  confirmDeletion,
  detailLines,
  FOUND,
  LISTED,
  noteInstead,
  ownerOf,
  plainText,
  searchWords,
  withReason,
} from '../recordings.js';

export async function listRecordings(
  options: ListOptions & UserOptions & { organization?: string; status?: RecordingStatus },
): Promise<void> {
  const query = pageQuery(options);
  const { organization: organizationId, status } = options;
  if (organizationId !== undefined && !isUuid(organizationId))
    throw usageError(
      `--organization: must be the id of an organization (orgs list), not "${organizationId}"`,
    );
  await withDatabase(async (host) => {
    const filters = { ...query, ownerId: await findUserId(host, options), organizationId, status };
    await printList(
      options,
      rowsOf((cursor) => listForOperator(host.manager, { ...filters, after: readCursor(cursor) })),
      LISTED,
    );
  });
}

export const getRecording = (id: string, options: Output): Promise<void> =>
  withDatabase(async (host) => {
    const recording = await requireRecording(host, id);
    const { owner, organization, transcription, transcriptionReason, purgeAt } = recording;
    const more = [
      ['size', bytesText(recording.storedBytes)],
      ['owner', owner ? `${ownerOf(recording)} <${singleLine(owner.email)}> ${owner.id}` : '-'],
      ['organization', organization ? `${singleLine(organization.name)} ${organization.id}` : '-'],
      ['transcript', withReason(transcription, transcriptionReason)],
      ['summary', recording.summary],
      ...(purgeAt ? [['deleted', `can be restored until ${purgeAt.toISOString()}`] as const] : []),
    ] as const;
    print(options, recording, detailLines(recording, more));
  });

/** `recordings search TEXT`: everything that was said or written, of everyone. */
export async function searchRecordings(given: string, options: ListOptions): Promise<void> {
  const query = parseSearchQuery(searchWords(given));
  await withDatabase(async ({ manager }) => {
    const all = { openFrom: '-infinity', transcripts: true, summaries: true };
    const readable = (await listScopes(manager)).map((id) => ({ id, ...all }));
    const search = {
      query,
      asks: isQuestion(given),
      speaker: undefined,
      visible: sql`r.deleted_at IS NULL`,
      readable,
    };
    const { rows, instead } = await manager.transaction('REPEATABLE READ', (within) =>
      searchPage(within, { ...search, limit: options.limit, offset: 0 }),
    );
    noteInstead(given, instead);
    const matches = new Map(rows.map((row) => [row.id, row.matches.map(presentMatch)]));
    const found = (await findForOperator(manager, [...matches.keys()])).map((recording) => {
      const own = matches.get(recording.id) ?? [];
      return { ...recording, passages: own.map(({ snippet }) => plainText(snippet)), matches: own };
    });
    await printList(options, found, FOUND);
  });
}

export const deleteRecording = (id: string, options: Output & Confirmable): Promise<void> =>
  withService(async (service) => {
    const recording = await requireRecording(service, id);
    const name = await confirmDeletion(recording, options);
    await deleteForOperator(service.manager.dataSource, service.get(MediaService), id);
    print(options, { id, title: recording.title }, `Deleted ${name}.`);
  });

/** The recording with this id; exit status 4 if there is none. */
async function requireRecording({ manager, settings }: Host, id: string): Promise<OperatorRecording> {
  const [recording] = isUuid(id) ? await findForOperator(manager, [id]) : [];
  if (recording) return recording;
  throw notFound(`${id}: there is no recording with this id in ${placeOf(settings)} (recordings list)`);
}
