import type { Call, Transport } from './transport.js';

const LARGEST_PAGE = 100;

interface Page {
  readonly data: unknown;
  readonly pagination?: Pagination;
}

interface Pagination {
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
  readonly offset?: number;
  readonly limit?: number;
}

interface Chunk {
  readonly segments: readonly unknown[];
  readonly pagination: Pagination;
}

/** Every item of a list, page by page; the next page is requested when its first item is. */
export async function* items(transport: Transport, path: string, call: Call): AsyncGenerator<unknown, void> {
  const given = call.query ?? {};
  for (let query: object | null = given; query;) {
    const reply = await transport.call('get', path, { ...call, query });
    const { data, pagination } = reply.data as Page;
    if (Array.isArray(data)) {
      yield* data;
      query = following(given, pagination, pagination?.offset ?? 0);
      continue;
    }
    // Of a transcript, or of what a share link shows, which may have none.
    const chunk = (
      'transcript' in (data as object) ? (data as { transcript: unknown }).transcript : data
    ) as Chunk | null;
    if (!chunk) return;
    yield* chunk.segments;
    const { start_chunk: start = 0 } = query as { start_chunk?: number };
    query = chunk.pagination.has_more
      ? { limit: LARGEST_PAGE, ...given, start_chunk: start + chunk.segments.length }
      : null;
  }
}

/** The query for the next page; null after the last. The first one has no `limit`: not every list takes it. */
function following(given: object, pagination: Pagination | undefined, offset: number): object | null {
  if (!pagination?.has_more) return null;
  const { next_cursor: cursor, limit = 0 } = pagination;
  const place = cursor ? { cursor, offset: undefined } : { offset: offset + limit };
  return { limit: LARGEST_PAGE, ...given, ...place };
}
