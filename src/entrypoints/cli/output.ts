import { codePointLength, escapeControls, singleLine } from '../../lib/text.js';
import { globalOptions } from './global-options.js';

export interface Output {
  readonly json?: boolean;
}

/** Something worth knowing that is no result, on standard error. Names in it are untrusted: `singleLine`. */
export function notice(text: string): void {
  if (!globalOptions.quiet) process.stderr.write(`${text}\n`);
}

/** Names in `plain` are untrusted: `singleLine`. */
export function print({ json }: Output, result: object, plain: string): void {
  process.stdout.write(`${json ? toJson(result) : plain}\n`);
}

export const addressOf = (email: string, verified: boolean): string =>
  `${singleLine(email)}${verified ? '' : ' (not verified)'}`;

/** Prints the id of what was created; on a terminal with its name, which is untrusted. */
export function printCreated(output: Output, result: object, id: string, name: string): void {
  print(output, result, process.stdout.isTTY ? `${id}  ${singleLine(name)}` : id);
}

/** A line for each field. Values are untrusted: `singleLine`. */
export const fieldLines = (fields: readonly (readonly [name: string, value: string])[]): string =>
  fields.map(([name, value]) => `${name.padEnd(14)}${value}`).join('\n');

/** Fit for a terminal, on one line. */
export const toJson = (value: object): string => escapeControls(JSON.stringify(value));

export interface ListOptions extends Output {
  readonly search?: string;
  readonly limit: number;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** None for the last page. */
  readonly nextCursor?: string | null;
}

interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

const PAGE_SIZE = 100;

interface ListForm<Row> {
  /** Texts of a row, fit for a terminal: `singleLine`. */
  readonly cells: (row: Row) => readonly string[];
  readonly titles: readonly string[];
  /** Shown on standard error when the list is empty. */
  readonly none: string;
  /** Rows that are read at a time. */
  readonly pageSize?: number;
}

/**
 * Prints a list page by page, so that one of any length fits into memory: on a terminal as a table, otherwise a line for
 * each row; with `--json`, as one array.
 */
export async function printList<Row extends object>(
  { json, limit = Infinity }: Partial<ListOptions>,
  read: (page: PageRequest) => Promise<Page<Row>>,
  { cells, titles, none, pageSize = PAGE_SIZE }: ListForm<Row>,
): Promise<void> {
  const lines = process.stdout.isTTY ? tableWith(titles) : plainLines;
  let printed = 0;
  let cursor: string | undefined;
  do {
    const page = await read({ limit: Math.min(pageSize, limit - printed), cursor });
    const text = json
      ? page.rows.map((row, index) => `${printed + index === 0 ? '[' : ','}${toJson(row)}`).join('')
      : lines(page.rows.map(cells));
    process.stdout.write(text);
    printed += page.rows.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && printed < limit);
  if (json) process.stdout.write(printed === 0 ? '[]\n' : ']\n');
  else if (printed === 0) notice(none);
}

type Cells = readonly string[];

const plainLines = (rows: readonly Cells[]): string => rows.map((row) => `${row.join('  ')}\n`).join('');

/** Lines of a table that is printed in parts; a later part may widen columns. */
function tableWith(titles: Cells): (rows: readonly Cells[]) => string {
  const widths = titles.map(() => 0);
  let begun = false;
  const pad = (text: string, column: number): string =>
    text + ' '.repeat((widths[column] ?? 0) - codePointLength(text));
  return (rows) => {
    if (rows.length === 0) return '';
    const lines = begun ? rows : [titles, ...rows];
    begun = true;
    for (const line of lines)
      for (const [column, text] of line.entries())
        widths[column] = Math.max(widths[column] ?? 0, codePointLength(text));
    return lines.map((line) => `${line.map(pad).join('  ').trimEnd()}\n`).join('');
  };
}
