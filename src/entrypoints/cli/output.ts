import { codePointLength, escapeControls, singleLine } from '../../lib/text.js';

/** Options of every command. */
interface GlobalOptions {
  /** Only results, questions and errors are printed. */
  readonly quiet?: boolean;
  /** The data of this host are used, whatever server there is a key for. */
  readonly host?: boolean;
}

/** Those of the command that runs. */
export let globalOptions: GlobalOptions = {};

export function setGlobalOptions(given: GlobalOptions): void {
  globalOptions = given;
}

export interface Output {
  readonly json?: boolean;
}

/** Something worth knowing that is not a result, on standard error. Names in it are untrusted: `singleLine`. */
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

/** Rows that are read and printed at a time. */
export const PAGE_SIZE = 100;

/** The rows of all pages, which are read one after another. */
export async function* rowsOf<Row>(
  read: (
    cursor: string | undefined,
  ) => Promise<{ readonly rows: readonly Row[]; readonly nextCursor?: string | null }>,
): AsyncGenerator<Row, void> {
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { rows, nextCursor = null } = await read(cursor);
    yield* rows;
    cursor = nextCursor;
  }
}

interface ListForm<Row> {
  /** Texts of a row, fit for a terminal: `singleLine`. */
  readonly cells: (row: Row) => readonly string[];
  readonly titles: readonly string[];
  /** Shown on standard error when the list is empty. */
  readonly none: string;
}

/** Prints a list page by page: on a terminal as a table, otherwise a line for each row; with `--json`, as one array. */
export async function printList<Row extends object>(
  { json, limit = Infinity }: Partial<ListOptions>,
  rows: Iterable<Row> | AsyncIterable<Row>,
  { cells, titles, none }: ListForm<Row>,
): Promise<void> {
  const lines = process.stdout.isTTY ? tableWith(titles) : plainLines;
  let count = 0;
  let page: Row[] = [];
  const printPage = (): void => {
    const texts = page.map((row, index) => `${count - page.length + index === 0 ? '[' : ','}${toJson(row)}`);
    process.stdout.write(json ? texts.join('') : lines(page.map(cells)));
    page = [];
  };
  for await (const row of rows) {
    page.push(row);
    count += 1;
    if (page.length === PAGE_SIZE || count === limit) printPage();
    if (count === limit) break;
  }
  printPage();
  if (json) process.stdout.write(count === 0 ? '[]\n' : ']\n');
  else if (count === 0) notice(none);
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
