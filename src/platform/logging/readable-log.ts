/** Where a log is written. */
interface Destination {
  write(text: string): unknown;
  flush(done?: (error?: Error) => void): void;
}

/** A parsed line of the log. */
type Line = Readonly<Record<string, unknown>>;

const LEVELS = new Map([
  [10, 'TRACE'],
  [20, 'DEBUG'],
  [40, 'WARN'],
  [50, 'ERROR'],
  [60, 'FATAL'],
]);

/** Writes, in a terminal, a short line for each JSON line, from which secrets have already been redacted. */
export const readableLog = (destination: Destination): Destination => ({
  write: (json) => destination.write(readable(JSON.parse(json) as Line)),
  flush: (done) => destination.flush(done),
});

/** `14:22:18  GET /api/v1/recordings 200  12 ms` for a request, else the level, the message and other fields. */
export function readable({ level, time, ...line }: Line): string {
  const name = LEVELS.get(Number(level));
  return withoutControls(`${clock(time)}  ${name ? `${name}  ` : ''}${textOf(line)}`) + '\n';
}

/** What a line says, apart from its time and level. */
export const textOf = (line: Line): string => (line['msg'] === 'request' ? request(line) : message(line));

const request = ({ method, path, status, ms, errorCode }: Line): string =>
  `${method} ${path} ${status}  ${ms} ms${errorCode === undefined ? '' : `  ${errorCode}`}`;

function message({ msg, err, ...fields }: Line): string {
  const rest = Object.entries(fields).map(([name, value]) => `  ${name}=${format(value)}`);
  // Some messages already include that of the error.
  const isInMessage = !isError(err) || String(msg).includes(err.message);
  return `${msg}${rest.join('')}${isInMessage ? '' : causes(err)}`;
}

interface LoggedError {
  readonly message: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const isError = (value: unknown): value is LoggedError => typeof value === 'object' && value !== null;

const causes = ({ stack, message: text, cause }: LoggedError): string =>
  `\n${stack ?? text}${cause ? `\nCaused by:${causes(cause)}` : ''}`;

const format = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Local time, as the reader is at the terminal. */
const clock = (time: unknown): string => new Date(String(time)).toTimeString().slice(0, 'HH:MM:SS'.length);

/** Control characters in requests must not reach the terminal. */
const withoutControls = (text: string): string => text.replace(/(?!\n)\p{Cc}/gu, '\uFFFD');
