import {
  findForOperator,
  listForOperator,
  listScopes,
  type OperatorRecording,
} from '../../../modules/recordings/operator/operator-recordings.queries.js';
import { searchPage } from '../../../modules/search/found/search-page.js';
import { isQuestion } from '../../../modules/search/query/question-words.js';
import { parseSearchQuery } from '../../../modules/search/query/search-query.js';
import { toText } from '../../../modules/search/snippets/snippet.js';
import { readCursor } from '../../../platform/http/replies/cursor.js';
import { sql } from '../../../platform/database/sql.js';
import { isUuid } from '../../../platform/ids.js';
import { bytesText, durationText } from '../../../lib/amounts.js';
import { singleLine } from '../../../lib/text.js';
import type { RecordingStatus } from '../../../policy/recording-status.js';
import { placeOf } from '../existing-database.js';
import { notFound, usageError } from '../exit-status.js';
import { givenUser, requireUser, type UserOptions } from '../lookups.js';
import { searchText, text } from '../option-values.js';
import { print, printList, type ListOptions, type Output } from '../output.js';
import { withReader, type Reader } from '../reader.js';

const DEFAULT_LIMIT = 50;
const PAGE_SIZE = 1_000;
const SEARCH = { min: 1, max: 200 };

interface Filters extends ListOptions, UserOptions {
  readonly organization?: string;
  readonly status?: RecordingStatus;
}

const TITLES = ['ID', 'STATUS', 'CREATED', 'LENGTH', 'OWNER', 'TITLE'];

/** `recordings list`. */
export async function listRecordings({ limit = DEFAULT_LIMIT, ...options }: Filters): Promise<void> {
  const search = searchText(options);
  const { email, id, organization: organizationId, status } = options;
  if (organizationId !== undefined && !isUuid(organizationId))
    throw usageError(
      `--organization: must be the id of an organization (orgs list), not "${organizationId}"`,
    );
  await withReader(async (reader) => {
    const isOfOne = email !== undefined || id !== undefined;
    const ownerId = isOfOne ? (await requireUser(reader, ...givenUser(options))).id : undefined;
    const filters = { search, ownerId, organizationId, status };
    await printList(
      { ...options, limit },
      (page) =>
        listForOperator(reader.manager, { ...filters, limit: page.limit, after: readCursor(page.cursor) }),
      { present: presentRecording, cells, titles: TITLES, none: 'No recordings found.', pageSize: PAGE_SIZE },
    );
  });
}

/** `recordings get ID`. */
export async function getRecording(id: string, options: Output): Promise<void> {
  await withReader(async (reader) => {
    const recording = await requireRecording(reader, id);
    print(options, presentRecording(recording), details(recording).join('\n'));
  });
}

/** `recordings search TEXT`: everything that was said or written, of everyone. */
export async function searchRecordings(
  given: string,
  { limit = DEFAULT_LIMIT, ...options }: ListOptions,
): Promise<void> {
  const query = parseSearchQuery(text('text', given, SEARCH));
  await withReader(async ({ manager }) => {
    const all = { openFrom: '-infinity', transcripts: true, summaries: true };
    const readable = (await listScopes(manager)).map((id) => ({ id, ...all }));
    const search = { query, asks: isQuestion(given), speaker: undefined, visible: sql`true`, readable };
    const { rows, instead } = await manager.transaction('REPEATABLE READ', (within) =>
      searchPage(within, { ...search, limit, offset: 0 }),
    );
    if (instead !== null) process.stderr.write(`Nothing has "${given}"; results for "${instead}":\n`);
    const recordings = await findForOperator(
      manager,
      rows.map(({ id }) => id),
    );
    const passages = new Map(
      rows.map(({ id, matches }) => [id, matches.map(({ snippet }) => toText(snippet))]),
    );
    const passagesOf = ({ id }: OperatorRecording): string[] => passages.get(id) ?? [];
    await printList(options, async () => ({ rows: recordings, nextCursor: null }), {
      present: (found) => ({ ...presentRecording(found), passages: passagesOf(found) }),
      cells: (found) => [
        found.id,
        dayOf(found.createdAt),
        ownerOf(found),
        singleLine(found.title),
        singleLine(passagesOf(found)[0] ?? ''),
      ],
      titles: ['ID', 'CREATED', 'OWNER', 'TITLE', 'FOUND'],
      none: 'No recordings found.',
    });
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

export function presentRecording({ createdAt, ...recording }: OperatorRecording): object {
  return { ...recording, createdAt: createdAt.toISOString() };
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ');
const ownerOf = ({ owner }: OperatorRecording): string => (owner ? singleLine(owner.name) : '-');
const lengthOf = ({ duration }: OperatorRecording): string =>
  duration === null ? '-' : durationText(duration);

function cells(recording: OperatorRecording): string[] {
  const { id, status, createdAt, title } = recording;
  return [id, status, dayOf(createdAt), lengthOf(recording), ownerOf(recording), singleLine(title)];
}

const because = (reason: string | null): string => (reason === null ? '' : `: ${singleLine(reason)}`);

function details(recording: OperatorRecording): string[] {
  const { status, statusReason, progress, owner, organization, transcription, transcriptionReason } =
    recording;
  const progressed = status === 'COMPLETED' ? '' : ` ${Math.round(progress * 100)}%`;
  const rows: [name: string, value: string][] = [
    ['id', recording.id],
    ['title', singleLine(recording.title)],
    ['status', `${status}${progressed}${because(statusReason)}`],
    ['created', recording.createdAt.toISOString()],
    ['length', lengthOf(recording)],
    ['size', bytesText(recording.storedBytes)],
    ['owner', owner ? `${singleLine(owner.name)} <${singleLine(owner.email)}> ${owner.id}` : '-'],
    ['organization', organization ? `${singleLine(organization.name)} ${organization.id}` : '-'],
    ['transcript', `${transcription}${because(transcriptionReason)}`],
    ['summary', recording.summary],
  ];
  return rows.map(([name, value]) => `${name.padEnd(14)}${value}`);
}
