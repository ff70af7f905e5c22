import ts from 'typescript';
import { Origins } from './origins.js';
import { calledName } from './project.js';
import { takesSql } from './taking-sql.js';

/** Words in capitals as SQL has them and messages do not. Pieces without any are looked at where they end up. */
const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|JOIN|ORDER BY|GROUP BY|I?LIKE|RETURNING)\b/;

/** What is interpolated into SQL without being constant or bound: the expression there, and where its value comes from. */
export function findInterpolatedValues(project) {
  const origins = new Origins(project);
  const found = new Map();
  const add = (value, origin) => {
    const innermost = origins.interpolationOf(origin) ?? value;
    if (!found.has(innermost)) found.set(innermost, { value: innermost, origin });
  };
  const look = (value) => {
    if (ts.isTemplateExpression(value)) value.templateSpans.forEach((_, at) => lookBetween(value, at));
    else for (const origin of origins.unknownsOf(value)) add(value, origin);
  };
  const lookBetween = (template, at) => {
    const { expression } = template.templateSpans[at];
    const isOneOfSeveral =
      origins.isConstant(expression) && !origins.isConstant(expression, { quoted: true });
    if (isOneOfSeveral && isQuoted(template, at)) add(expression, expression);
    else look(expression);
  };
  const visit = (node) => {
    if (ts.isThrowStatement(node) || (ts.isNewExpression(node) && calledName(node)?.endsWith('Error')))
      return;
    if (ts.isTemplateExpression(node) && isSql(node)) look(node);
    if (ts.isCallExpression(node)) for (const value of node.arguments.slice(0, takenBy(node))) look(value);
    // What is bound is no SQL, whatever it looks like.
    if (!ts.isCallExpression(node) || calledName(node) !== 'bind') ts.forEachChild(node, visit);
  };
  for (const source of project.sources) visit(source);
  return [...found.values()];
}

const takenBy = (call) => (ts.isPropertyAccessExpression(call.expression) ? takesSql(calledName(call)) : 0);

const isSql = (node) =>
  ts.findAncestor(node, (outer) => ts.isCallExpression(outer) && calledName(outer) === 'Raw') !== undefined ||
  node.getSourceFile().fileName.endsWith('.sql.ts') ||
  SQL.test([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' '));

/** Between the quotes of a literal: a value, never a name. */
function isQuoted({ head, templateSpans }, at) {
  const before = at === 0 ? head.text : templateSpans[at - 1].literal.text;
  return before.endsWith("'") && templateSpans[at].literal.text.startsWith("'");
}
