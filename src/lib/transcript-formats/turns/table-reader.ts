import { placeOf } from '../captions/captions-reader.js';
import { speakerLabel } from '../foreign/json-labels.js';
import type { TextFormat, TranscriptDraft } from '../transcript-draft.js';
import { TranscriptFileError } from '../transcript-file.error.js';
import { FILE_LIMITS } from '../transcript.js';
import { headOf } from '../transcript-text.js';
import { secondsOfStamp, TIME } from './time-stamps.js';
import { addTurn } from './turn.js';

type Column = 'start' | 'end' | 'speaker' | 'text';

/** What columns are called, without case, marks and units. */
const COLUMNS: Readonly<Record<Column, RegExp>> = {
  start: /^(?:(?:start|begin|in|from)(?: ?time(?:code| ?stamp)?)?|time(?:code| ?stamp| in)?|offset)$/,
  end: /^(?:(?:end|stop|out|to)(?: ?time(?:code| ?stamp)?)?|time out)$/,
  speaker: /^(?:speaker(?: ?(?:name|label|id))?|name|who|participant(?: name)?|user(?:name)?|author|role)$/,
  text: /^(?:text|transcript(?:ion)?|content|caption|sentence|utterance|message|subtitle|dialogue|speech|what)$/,
};
const UNIT = /\b(ms|milliseconds?|s|sec(?:onds)?)\b/;
const IS_TIME = new RegExp(`^${TIME}$`, 'u');
/** Columns of a table that are read. */
const COLUMNS_READ = 50;
/** Characters that people say in a second. */
const PACE = { slow: 1, fast: 60 } as const;

/** The head of the tables of Whisper and whisper.cpp, which are in milliseconds. */
const WHISPER = /^start(.)end\1(?:speaker\1)?text$/;
const USUAL = 'usually milliseconds';

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Tables with a row for each turn (CSV, TSV or Markdown), whose first line names the columns. */
export const TABLE: TextFormat = {
  name: 'table',
  title: 'tables (CSV, TSV) with columns such as start, end, speaker and text',
  match: (text) => {
    const separator = separatorOf(text);
    const head = separator === null ? null : columnsIn(headOf(text).split(/[\r\n]/, 1)[0]!, separator);
    if (!head || separator === null) return null;
    const rows = rowsOf(text, separator).filter(
      ({ cells }) => !cells.every((cell) => /^[\s:-]*$/.test(cell)),
    );
    return { points: 3 * rows.length, read: (draft) => readRows(rows, head, draft) };
  },
};

const separatorOf = (text: string): string | null =>
  [',', ';', '\t', '|'].find((one) => columnsIn(headOf(text).split(/[\r\n]/, 1)[0]!, one) !== null) ?? null;

interface Head {
  readonly at: Readonly<Partial<Record<Column, number>>>;
  readonly width: number;
  /** What the columns say of their times. */
  readonly unit: string | null;
}

/** Null if the line is not the head of a table that is a transcript. */
function columnsIn(line: string, separator: string): Head | null {
  const names = rowsOf(line, separator)[0]!.cells.map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[_()[\]]+/g, ' ')
      .trim(),
  );
  if (names.length < 2 || names.length > COLUMNS_READ) return null;
  const usual = WHISPER.test(names.join(',')) ? USUAL : null;
  const unit = names.map((name) => UNIT.exec(name)?.[1]).find(Boolean) ?? usual;
  const plain = names.map((name) => name.replace(UNIT, '').trim());
  const at = Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([column, pattern]) => {
      const index = plain.findIndex((name) => pattern.test(name));
      return index < 0 ? [] : [[column, index]];
    }),
  ) as Head['at'];
  return at.start === undefined || at.text === undefined ? null : { at, width: names.length, unit };
}

function readRows(rows: readonly Row[], { at, width, unit }: Head, draft: TranscriptDraft): null {
  const said = rows.slice(1);
  const cellOf = ({ cells }: Row, column: Column): string =>
    (at[column] === undefined ? '' : (cells[at[column]] ?? '')).trim();
  const spans = said.map((row) => ({
    start: cellOf(row, 'start'),
    end: cellOf(row, 'end'),
    text: cellOf(row, 'text'),
  }));
  const isWhole =
    spans.length > 0 && spans.every(({ start, end }) => /^\d{1,12}$/.test(start) && /^\d{0,12}$/.test(end));
  const divisor = isWhole && isMilliseconds(spans, unit) ? 1000 : 1;
  const timeOf = (cell: string): number | null => {
    if (/^\d{1,12}(?:[.,]\d{1,12})?$/.test(cell)) return Number(cell.replace(',', '.')) / divisor;
    return IS_TIME.test(cell) ? secondsOfStamp(cell, false) : null;
  };
  for (const row of said) {
    const place = placeOf(row.line);
    if (!draft.hasRoom(place)) break;
    const until = cellOf(row, 'end');
    const [start, end] = [timeOf(cellOf(row, 'start')), until === '' ? null : timeOf(until)];
    if (row.cells.length !== width) draft.mistake(place, `must have ${width} columns, as the first line`);
    else if (start === null || (end === null && until !== ''))
      draft.mistake(place, 'has no time that can be read');
    else {
      const [speaker, text] = [speakerLabel(cellOf(row, 'speaker')), cellOf(row, 'text')];
      addTurn({ line: row.line, start, end: end === start ? null : end, speaker, text }, draft);
    }
  }
  return null;
}

interface Span {
  readonly start: string;
  /** Empty if the table has none. */
  readonly end: string;
  readonly text: string;
}

/** Whether whole numbers are milliseconds: by their unit, else by how fast somebody would speak. */
function isMilliseconds(spans: readonly Span[], unit: string | null): boolean {
  if (unit !== null && unit !== USUAL) return unit.startsWith('m');
  let [characters, time] = [0, 0];
  for (const [index, { start, end, text }] of spans.entries()) {
    const until = end === '' ? spans[index + 1]?.start : end;
    if (until === undefined) continue;
    characters += text.length;
    time += Number(until) - Number(start);
  }
  const isSpoken = (seconds: number): boolean =>
    characters >= seconds * PACE.slow && characters <= seconds * PACE.fast;
  const [inSeconds, inMilliseconds] = [isSpoken(time), isSpoken(time / 1000)];
  if (inSeconds !== inMilliseconds) return inMilliseconds;
  if (unit === USUAL) return true;
  throw new TranscriptFileError(
    placeOf(1),
    'seconds or milliseconds? Call the columns start_s and end_s, or start_ms and end_ms',
  );
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
