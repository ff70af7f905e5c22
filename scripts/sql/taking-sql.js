/** Methods whose arguments are SQL: of connections, and of TypeORM's query builders. */
const TAKING_SQL = new Map([
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

/** How many arguments of a method of this name are SQL. */
export const takesSql = (name) => TAKING_SQL.get(name) ?? 0;
