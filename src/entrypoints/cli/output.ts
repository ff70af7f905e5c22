import { escapeControls } from '../../lib/text.js';

export interface Output {
  readonly json?: boolean;
}

/** Names in `plain` are untrusted: `singleLine`. */
export function print({ json }: Output, result: object, plain: string): void {
  process.stdout.write(`${json ? toJson(result) : plain}\n`);
}

const toJson = (value: object): string => escapeControls(JSON.stringify(value));

export interface ListOptions extends Output {
  readonly search?: string;
  /** Default: all. */
  readonly limit?: number;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** Null for the last page. */
  readonly nextCursor: string | null;
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

const PAGE_SIZE = 100;

/** Prints a list page by page, so that one of any length fits into memory; with `--json`, as one array. */
export async function printList<Row>(
  { json, limit = Infinity }: ListOptions,
  read: (page: PageRequest) => Promise<Page<Row>>,
  { present, line, none }: { present: (row: Row) => object; line: (row: Row) => string; none: string },
): Promise<void> {
  let printed = 0;
  let cursor: string | null | undefined;
  while (cursor !== null && printed < limit) {
    const page = await read({ limit: Math.min(PAGE_SIZE, limit - printed), cursor });
    for (const row of page.rows) {
      process.stdout.write(json ? `${printed === 0 ? '[' : ','}${toJson(present(row))}` : `${line(row)}\n`);
      printed += 1;
    }
    cursor = page.nextCursor;
  }
  if (json) process.stdout.write(printed === 0 ? '[]\n' : ']\n');
  else if (printed === 0) process.stderr.write(`${none}\n`);
}
