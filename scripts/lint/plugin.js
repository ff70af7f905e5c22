// The project's own lint rules, as an oxlint plugin; `.oxlintrc.json` says where each applies. A message must be sufficient to fix
// the mistake: it says what to write instead, and in which file.
import { awaitedCatch } from './awaited-catch.js';
import { domainErrors } from './domain-errors.js';
import { guardedReads, ownRepositories } from './own-entities.js';
import { statedLimits } from './stated-limits.js';
import { staticSql } from './static-sql.js';
import { threeWays } from './three-ways.js';

export default {
  meta: { name: 'service' },
  rules: {
    'awaited-catch': awaitedCatch,
    'domain-errors': domainErrors,
    'guarded-reads': guardedReads,
    'own-repositories': ownRepositories,
    'stated-limits': statedLimits,
    'static-sql': staticSql,
    'three-ways': threeWays,
  },
};
