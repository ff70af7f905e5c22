/** Methods of connections and of TypeORM's query builders whose first arguments are SQL, and how many. */
const SQL_ARGUMENTS = new Map([
  ['query', 1],
  ['where', 1],
  ['andWhere', 1],
  ['orWhere', 1],
  ['having', 1],
  ['andHaving', 1],
  ['orHaving', 1],
  ['orderBy', 2],
  ['addOrderBy', 2],
  ['groupBy', 1],
  ['addGroupBy', 1],
  ['addSelect', 1],
]);

/** How many of the first arguments of a method with this name are SQL. */
export const sqlArgumentCount = (name) => SQL_ARGUMENTS.get(name) ?? 0;
