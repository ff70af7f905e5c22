const MESSAGE =
  'If the function that catches throws, nobody handles that, and the process logs it as a bug: await the promise. ' +
  'To map violated constraints, use mapViolations (src/platform/database/database-errors.ts).';

/** `no-floating-promises` takes any `catch` for the end of the matter, also one that throws another error. */
export const awaitedCatch = {
  create: (context) => ({
    ExpressionStatement({ expression: node }) {
      if (node.type !== 'CallExpression' || node.callee.property?.name !== 'catch') return;
      if (mayThrow(node.arguments[0], context)) context.report({ node, message: MESSAGE });
    },
  }),
};

/** A function from elsewhere may; one that is written here does if it says so. */
function mayThrow(handler, { sourceCode }) {
  const isWrittenHere = handler?.type === 'ArrowFunctionExpression' || handler?.type === 'FunctionExpression';
  return !isWrittenHere || /\bthrow\b/.test(sourceCode.getText(handler));
}
