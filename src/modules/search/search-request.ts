import type { Sql } from '../../platform/database/sql.js';
import type { SearchPosition } from './search-position.js';
import type { SearchQuery } from './search-query.js';
import type { ReadableScope } from './search.sql.js';

export interface Search {
  readonly query: SearchQuery;
  /** Whether it is a question, of which most words are enough even if other recordings have all of them. */
  readonly asks: boolean;
  /** Only what speakers with this name said. */
  readonly speaker: string | undefined;
  /** Which recordings the caller can see, as a condition on a row `r` of `recordings`. */
  readonly visible: Sql;
  readonly readable: readonly ReadableScope[];
  readonly limit: number;
  readonly offset: number;
  readonly after: SearchPosition | undefined;
}
