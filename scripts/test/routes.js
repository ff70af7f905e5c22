import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Catch-all routes only reject requests. */
const NOT_OURS = /^(ALL|HEAD) /;

/** A line for each route that no test has called successfully, from the notes of `test/support/routes.ts` in `folder`. */
export function unansweredRoutes(folder) {
  const notes = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const notesAfter = (prefix) =>
    new Set(notes.filter((note) => note.startsWith(prefix)).map((note) => note.slice(prefix.length)));
  const answered = notesAfter('answered ');
  return [...notesAfter('has ')]
    .filter((route) => !answered.has(route) && !NOT_OURS.test(route))
    .toSorted()
    .map(
      (route) =>
        `no test gets a 2xx or 3xx from ${route}: add one in test/e2e/<module>/<operation>.e2e-spec.ts`,
    );
}
