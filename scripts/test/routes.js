import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Nest's own refusals take every method; the pages of the API document are Swagger's. */
const NOT_OURS = /^(ALL|HEAD) |^GET \/?docs([/-]|$)/;

/** A line for each route that no test has called successfully, from what `test/support/routes.ts` noted in `folder`. */
export function unansweredRoutes(folder) {
  const notes = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const having = (what) =>
    new Set(notes.filter((note) => note.startsWith(what)).map((note) => note.slice(what.length)));
  const answered = having('answered ');
  return [...having('has ')]
    .filter((route) => !answered.has(route) && !NOT_OURS.test(route))
    .toSorted()
    .map(
      (route) =>
        `no test gets a 2xx or 3xx from ${route}: add one, in test/e2e/<module>/<operation>.e2e-spec.ts`,
    );
}
