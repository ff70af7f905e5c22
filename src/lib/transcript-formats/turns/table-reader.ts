import { scaleOf, shapedList, type ShapedList } from '../foreign/json-choice.js';
import { labelsOf } from '../foreign/json-labeller.js';
import { ListReader } from '../foreign/json-reader.js';
import type { TextFormat } from '../transcript-draft.js';
import { FILE_LIMITS } from '../transcript.js';
import { headOf } from '../transcript-text.js';

const COLUMNS_READ = 50;
const SEPARATORS = [',', ';', '\t', '|'];
/** The heads of the tables of Whisper and whisper.cpp, which are in milliseconds. */
const WHISPER = /^start,end,(?:speaker,)?text$/;
/** The line below the head of a table in Markdown. */
const RULE = /^[\s:-]*$/;

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

interface Table {
  /** The names of the columns, as of members in JSON: `start_time`. */
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Tables with a row for each turn (CSV, TSV or Markdown), whose first line names the columns: a list of objects. */
export const TABLE: TextFormat = {
  name: 'table',
  title: 'tables (CSV, TSV) with columns such as start, end, speaker and text',
  match: (text) => {
    const separator = SEPARATORS.find((one) => isTranscript(listOf(tableIn(headOf(text), one))));
    if (separator === undefined) return null;
    const table = tableIn(text, separator);
    return {
      points: 3 * (table.rows.length + 1),
      read: (draft) => {
        const { columns, rows } = table;
        for (const { line, cells } of rows) {
          if (cells.length === columns.length) continue;
          draft.mistake(`line ${line}`, `must have ${columns.length} columns, as the first line`);
        }
        const list = listOf(table);
        const usual = WHISPER.test(columns.join(',')) ? 1e-3 : null;
        const scale = scaleOf(list, null, usual);
        new ListReader(list, { scale, labelOf: labelsOf(list, [list]), isStrict: false }, draft).run();
        return null;
      },
    };
  },
};

const isTranscript = ({ shape }: ShapedList): boolean => shape.start.length > 0 && shape.text.length > 0;

function listOf({ columns, rows }: Table): ShapedList {
  const whole = rows.filter(({ cells }) => cells.length === columns.length);
  const items = whole.map(({ cells }) =>
    Object.fromEntries(cells.map((cell, at) => [columns[at], cell.trim()])),
  );
  return shapedList({
    path: '',
    groups: [{ place: '', items, owner: null, lines: whole.map(({ line }) => line) }],
  });
}

function tableIn(text: string, separator: string): Table {
  const [head, ...rows] = rowsOf(text, separator);
  const columns = head!.cells.map(
    (cell) =>
      cell
        .toLowerCase()
        .match(/[^\s_()[\]]+/g)
        ?.join('_') ?? '',
  );
  return { columns, rows: rows.filter(({ cells }) => !cells.every((cell) => RULE.test(cell))) };
}

/** The rows of a table, of which a cell in quotes may have several lines. */
function rowsOf(text: string, separator: string): Row[] {
  const rows: { line: number; cells: string[] }[] = [];
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)" ?(?=[${separator}]|[\\r\\n]|$)|[^${separator}\\r\\n]*`, 'y');
  let [at, line] = [0, 1];
  let row: { line: number; cells: string[] } = { line, cells: [] };
  for (;;) {
    cell.lastIndex = at;
    const [all, quoted] = cell.exec(text)!;
    if (row.cells.length <= COLUMNS_READ)
      row.cells.push(quoted === undefined ? all : quoted.replaceAll('""', '"'));
    line += quoted?.match(/\r\n|\r|\n/g)?.length ?? 0;
    at += all.length;
    if (text.startsWith(separator, at)) {
      at += separator.length;
      continue;
    }
    rows.push(row);
    const lineEnd = /\r\n|\r|\n/y;
    lineEnd.lastIndex = at;
    const ended = lineEnd.exec(text);
    if (!ended || rows.length > FILE_LIMITS.segments + 1 || at + ended[0].length >= text.length) return rows;
    at += ended[0].length;
    line += 1;
    row = { line, cells: [] };
  }
}
