import { codePointLength, escapeControls, singleLine } from '../../lib/text.js';

export interface Output {
  readonly json?: boolean;
}

let quiet = false;

/** Whether only results, questions and errors are wanted (`--quiet`). */
export const isQuiet = (): boolean => quiet;

export function setQuiet(wanted: boolean): void {
  quiet = wanted;
}

/** Something worth knowing that is no result, on standard error. Names in it are untrusted: `singleLine`. */
export function notice(text: string): void {
  if (!quiet) process.stderr.write(`${text}\n`);
}

/** Names in `plain` are untrusted: `singleLine`. */
export function print({ json }: Output, result: object, plain: string): void {
  process.stdout.write(`${json ? toJson(result) : plain}\n`);
}

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

interface ListForm<Row> {
  /** By default, the row itself. */
  readonly present?: (row: Row) => object;
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
  { json, limit = Infinity }: ListOptions,
  read: (page: PageRequest) => Promise<Page<Row>>,
  { present = (row) => row, cells, titles, none, pageSize = PAGE_SIZE }: ListForm<Row>,
): Promise<void> {
  const table = !json && process.stdout.isTTY ? new Table(titles) : null;
  let printed = 0;
  let cursor: string | null | undefined;
  while (cursor !== null && printed < limit) {
    const page = await read({ limit: Math.min(pageSize, limit - printed), cursor });
    if (table) process.stdout.write(table.format(page.rows.map(cells)));
    else if (json) {
      const texts = page.rows.map(
        (row, index) => `${printed + index === 0 ? '[' : ','}${toJson(present(row))}`,
      );
      process.stdout.write(texts.join(''));
    } else process.stdout.write(page.rows.map((row) => `${cells(row).join('  ')}\n`).join(''));
    printed += page.rows.length;
    cursor = page.nextCursor;
  }
  if (json) process.stdout.write(printed === 0 ? '[]\n' : ']\n');
  else if (printed === 0) notice(none);
}

/** A table that is printed in parts; a later part may widen columns. */
class Table {
  private readonly widths: number[];
  private begun = false;

  constructor(private readonly titles: readonly string[]) {
    this.widths = titles.map(() => 0);
  }

  format(rows: readonly (readonly string[])[]): string {
    if (rows.length === 0) return '';
    const lines = this.begun ? rows : [this.titles, ...rows];
    this.begun = true;
    for (const line of lines)
      for (const [column, text] of line.entries())
        this.widths[column] = Math.max(this.widths[column] ?? 0, codePointLength(text));
    return lines.map((line) => `${this.pad(line)}\n`).join('');
  }

  private pad(line: readonly string[]): string {
    const padded = line.map(
      (text, column) => text + ' '.repeat((this.widths[column] ?? 0) - codePointLength(text)),
    );
    return padded.join('  ').trimEnd();
  }
}
