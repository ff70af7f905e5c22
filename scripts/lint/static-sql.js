const CONSTANT = /^[A-Z][A-Z0-9_]*$/;
const MESSAGE =
  'The text of a statement is constant: name it in a module-level constant and pass values as $1, or compose it with ' +
  '`sql` from src/platform/database/sql.ts, which binds whatever is interpolated.';

/** No value becomes part of the text of a statement: `query` takes only literals and constants of the module. */
export const staticSql = {
  create(context) {
    let constants;
    const isStatic = (node) => {
      if (node.type === 'Literal') return true;
      if (node.type === 'TemplateLiteral') return node.expressions.every(isStatic);
      if (node.type === 'ConditionalExpression') return isStatic(node.consequent) && isStatic(node.alternate);
      if (node.type === 'MemberExpression') return isStatic(node.object);
      // A prepared statement of pg.
      if (node.type === 'ObjectExpression')
        return node.properties.every(({ key, value }) => key?.name !== 'text' || isStatic(value));
      return node.type === 'Identifier' && constants.has(node.name);
    };
    return {
      Program({ body }) {
        constants = new Set(body.flatMap(namesOf).filter((name) => CONSTANT.test(name)));
      },
      CallExpression({ callee, arguments: [first, second] }) {
        const text = callee.property?.name === 'query' ? first : preparedBy(callee, second);
        if (text && !isStatic(text)) context.report({ node: text, message: MESSAGE });
      },
    };
  },
};

/** A statement that is written where it is prepared. */
const preparedBy = ({ name }, statement) =>
  name === 'preparedQuery' && statement?.type === 'ObjectExpression' ? statement : undefined;

/** The names that a statement at the top of a module declares as constants or imports. */
function namesOf(statement) {
  if (statement.type === 'ImportDeclaration') return statement.specifiers.map(({ local }) => local.name);
  const declaration = statement.declaration ?? statement;
  if (declaration.type !== 'VariableDeclaration' || declaration.kind !== 'const') return [];
  return declaration.declarations.map(({ id }) => id.name ?? '');
}
