import ts from 'typescript';
import { Origins } from './origins.js';
import { calledName } from './project.js';
import { sqlArgumentCount } from './sql-sinks.js';

/** Uppercase keywords, which occur in SQL but not in messages. Fragments without any are checked where they are used. */
const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|JOIN|ORDER BY|GROUP BY|I?LIKE|RETURNING)\b/;

/** Values interpolated into SQL that are neither constant nor bound: the expression, and the origin of its value. */
export function findInterpolatedValues(project) {
  const origins = new Origins(project);
  const found = new Map();
  const add = (value, origin) => {
    const innermost = origins.interpolationOf(origin) ?? value;
    if (!found.has(innermost)) found.set(innermost, { value: innermost, origin });
  };
  const check = (value) => {
    if (ts.isTemplateExpression(value)) value.templateSpans.forEach((_, at) => checkSpan(value, at));
    else for (const origin of origins.unknownsOf(value)) add(value, origin);
  };
  const checkSpan = (template, at) => {
    const { expression } = template.templateSpans[at];
    const isUnionOfConstants =
      origins.isConstant(expression) && !origins.isConstant(expression, { quoted: true });
    if (isUnionOfConstants && isQuoted(template, at)) add(expression, expression);
    else check(expression);
  };
  const visit = (node) => {
    if (ts.isThrowStatement(node) || (ts.isNewExpression(node) && calledName(node)?.endsWith('Error')))
      return;
    if (ts.isTemplateExpression(node) && isSql(node)) check(node);
    if (ts.isCallExpression(node))
      for (const value of node.arguments.slice(0, sqlArgumentsOf(node))) check(value);
    // A bound value is not SQL, whatever it looks like.
    if (!ts.isCallExpression(node) || calledName(node) !== 'bind') ts.forEachChild(node, visit);
  };
  for (const source of project.sources) visit(source);
  return [...found.values()];
}

const sqlArgumentsOf = (call) =>
  ts.isPropertyAccessExpression(call.expression) ? sqlArgumentCount(calledName(call)) : 0;

const isSql = (node) =>
  ts.findAncestor(node, (outer) => ts.isCallExpression(outer) && calledName(outer) === 'Raw') !== undefined ||
  node.getSourceFile().fileName.endsWith('.sql.ts') ||
  SQL.test([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' '));

/** Between the quotes of an SQL literal, and therefore a value, never a name. */
function isQuoted({ head, templateSpans }, at) {
  const before = at === 0 ? head.text : templateSpans[at - 1].literal.text;
  return before.endsWith("'") && templateSpans[at].literal.text.startsWith("'");
}
