import { operationsOf, type ApiDocument } from './api-document.js';

/** `client.get(`, `request('GET',`; what follows are the arguments. */
const CALL = /\.(get|post|put|patch|delete)\(|\(\s*'(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)',/g;
const EXPRESSION = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;
/** The first text among the arguments, after what is called to make a path of it, if anything: `at(`. */
const FIRST_TEXT = /^\s*([\w.]*\(?[\w.]*,?\s*)(?:'([^'\n]*)'|`((?:\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`])*)`)/;

interface Call {
  readonly method: string;
  /** Segments of the path; null: an expression. */
  readonly segments: readonly (string | null)[];
  /** What comes before the first segment is unknown. */
  readonly isTail: boolean;
}

/**
 * The requests that the text of a test sends to a path that is written there, in whole or its end: `/me`,
 * `${home}/folders`.
 */
function callsIn(source: string): Call[] {
  return [...source.matchAll(CALL)].flatMap((call) => {
    const begin = call.index + call[0].length;
    const [, maker = '', plain, template] = FIRST_TEXT.exec(source.slice(begin, begin + 200)) ?? [];
    const path = (plain ?? template?.replaceAll(EXPRESSION, '*') ?? '').replace(/\?.*$/s, '');
    if (!path.includes('/')) return [];
    const isTail = maker !== '' || path.startsWith('*');
    const given = path.split('/').filter((segment, at) => segment !== '' && !(at === 0 && segment === '*'));
    const segments = given.map((segment) => (segment.includes('*') ? null : segment));
    return [{ method: (call[1] ?? call[2] ?? '').toUpperCase(), segments, isTail }];
  });
}

function isOf({ method, segments, isTail }: Call, operation: string): boolean {
  const [of, path = ''] = operation.split(' ');
  const route = path
    .replace(/^\/api\/v1/, '')
    .split('/')
    .slice(1);
  if (of !== method || (isTail ? segments.length > route.length : segments.length !== route.length))
    return false;
  const tail = route.slice(route.length - segments.length);
  return (
    tail.some((segment) => !segment.startsWith('{')) &&
    segments.every((segment, at) => tail[at]?.startsWith('{') || tail[at] === segment)
  );
}

/** The operations that none of these texts of tests calls. */
export function uncalled(document: ApiDocument, sources: readonly string[]): string[] {
  const calls = sources.flatMap(callsIn);
  return operationsOf(document)
    .map(([operation]) => operation)
    .filter((operation) => !calls.some((call) => isOf(call, operation)));
}
