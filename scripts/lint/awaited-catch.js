const MESSAGE =
  'If the function that catches throws, nobody handles that, and the process logs it as a bug: await the promise. ' +
  'To map violated constraints, use mapViolations (src/platform/database/database-errors.ts).';
const FUNCTION = /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/;
/** `throw`, a call of a function such as `rethrow`, `Promise.reject`. */
const THROWS = /\bthrow\b|throw\w*\(|\breject\(/i;

/** `no-floating-promises` takes any `catch` for the end of the matter, also one that throws another error, and `void` for a reason. */
export const awaitedCatch = {
  create(context) {
    let functions;
    const textOf = (node) => context.sourceCode.getText(node);

    /** A function from elsewhere may, which `void` or keeping the promise accepts, unless its name says that it throws. */
    const mayThrow = (handler, isDeliberate) => {
      if (handler.type === 'Literal' || handler.name === 'undefined') return false;
      const known = FUNCTION.test(handler.type) ? handler : functions.get(handler.name);
      if (known) return THROWS.test(textOf(known));
      return !isDeliberate || /throw/i.test(textOf(handler));
    };

    return {
      Program({ body }) {
        functions = new Map(body.flatMap(functionsIn));
      },
      CallExpression(node) {
        const handler = handlerOf(node);
        const end = handler && endOf(node);
        if (!end) return;
        const isDeliberate = end !== 'ExpressionStatement' || methodOf(node.callee) === 'then';
        if (mayThrow(handler, isDeliberate)) context.report({ node, message: MESSAGE });
      },
    };
  },
};

/** The functions that a statement at the top of a module declares, by their names. */
function functionsIn(statement) {
  const declaration = statement.declaration ?? statement;
  if (declaration.type === 'FunctionDeclaration') return [[declaration.id?.name, declaration]];
  const variables = declaration.type === 'VariableDeclaration' ? declaration.declarations : [];
  return variables.filter(({ init }) => FUNCTION.test(init?.type)).map(({ id, init }) => [id.name, init]);
}

function handlerOf({ callee, arguments: [first, second] }) {
  const method = methodOf(callee);
  if (method === 'catch') return first;
  return method === 'then' ? second : undefined;
}

/** Also of `promise['catch']`. */
const methodOf = ({ property, computed }) => (computed ? property?.value : property?.name);

/** What the promise ends in, if nothing takes its outcome: a statement, `void`, or a variable, while something else may be awaited. */
function endOf(node) {
  const { parent } = node;
  switch (parent.type) {
    case 'ExpressionStatement':
    case 'VariableDeclarator':
      return parent.type;
    case 'UnaryExpression':
      return parent.operator === 'void' ? parent.type : undefined;
    case 'MemberExpression':
      return isFollowed(parent) ? endOf(parent.parent) : undefined;
    case 'LogicalExpression':
      return parent.right === node ? endOf(parent) : undefined;
    case 'ConditionalExpression':
      return parent.test === node ? undefined : endOf(parent);
    case 'ChainExpression':
    case 'ParenthesizedExpression':
    case 'SequenceExpression':
      return endOf(parent);
    default:
      return undefined;
  }
}

/** Follows `then` or `finally`, which pass an error on; another `catch` is judged on its own. */
function isFollowed(member) {
  const { parent: call } = member;
  if (call.type !== 'CallExpression' || call.callee !== member) return false;
  return methodOf(member) === 'finally' || (methodOf(member) === 'then' && !handlerOf(call));
}
