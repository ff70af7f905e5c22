const MESSAGE =
  "There are three ways to the data. Rows of the module's own: its `Repository` (`@InjectRepository`, in a transaction " +
  '`manager.getRepository`). Sets: the query builder, or `sql(manager)` of src/platform/database/sql.ts in a function of a ' +
  '`*.queries.ts`. A read measured to need it: `preparedQuery` in a `*.hot.sql.ts`.';

/** Statements go the ways of docs/extending.md: `query` and `preparedQuery` are for hot reads, in files of their own. */
export const threeWays = {
  create(context) {
    if (context.filename.endsWith('.hot.sql.ts')) return {};
    return {
      CallExpression({ callee, arguments: [first] }) {
        const isRaw = callee.property?.name === 'query' || callee.name === 'preparedQuery';
        if (isRaw && first) context.report({ node: first, message: MESSAGE });
      },
    };
  },
};
