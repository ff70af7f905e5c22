import ts from 'typescript';
import { Declarations } from './declarations.js';
import { Functions } from './functions.js';
import { ANY, calledName, declarationOf } from './project.js';

/** Methods of arrays and strings that return their receiver or parts of it. */
const PRESERVING = new Set(
  'filter slice toSorted sort toReversed reverse trim trimStart trimEnd toLowerCase toUpperCase toString values at flat'.split(
    ' ',
  ),
);
const NUMBERS = new Set(['length', 'size', 'indexOf', 'push', 'findIndex', 'Number', 'Math']);
const ARITHMETIC = new Set([
  ts.SyntaxKind.MinusToken,
  ts.SyntaxKind.AsteriskToken,
  ts.SyntaxKind.SlashToken,
  ts.SyntaxKind.PercentToken,
  ts.SyntaxKind.AsteriskAsteriskToken,
  ts.SyntaxKind.LessThanLessThanToken,
]);
/** Longer paths into a value are not traced. */
const MAX_DEPTH = 6;

/**
 * Traces an expression to the origins of its value: through variables, parameters (to all calls), properties, lists and the
 * functions of the project. Reports the origins that are not a constant, a computed number or a bound parameter.
 */
export class Origins {
  #checker;
  #functions;
  #declarations;
  #known = new Map();
  #interpolations = new Map();

  constructor({ checker, uses }) {
    this.#checker = checker;
    this.#functions = new Functions({ checker, uses });
    this.#declarations = new Declarations({ checker, uses }, this.#functions, this);
  }

  /** `path`: the part of the value to trace: property names, list indexes, and `*` for any element. */
  unknownsOf(node, path = []) {
    if (path.length > MAX_DEPTH) return [node];
    const key = path.join('.');
    const known = this.#known.get(node) ?? new Map();
    this.#known.set(node, known);
    if (!known.has(key)) {
      // A value that depends on itself adds no origin.
      known.set(key, []);
      known.set(key, [...new Set(this.#trace(node, path))]);
    }
    return known.get(key);
  }

  /** The innermost expression that interpolates a value of this origin into a string. */
  interpolationOf(origin) {
    return this.#interpolations.get(origin);
  }

  isConstant(node, { quoted = false } = {}) {
    const type = this.#checker.getTypeAtLocation(node);
    if (quoted && type.isUnion()) return false;
    const kinds = type.isUnion() ? type.types : [type];
    return kinds.every(
      ({ flags }) =>
        (flags & (ts.TypeFlags.Literal | ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never)) !==
        0,
    );
  }

  /** A numeric setting, chosen by the operator. */
  #isSetting(node, [name]) {
    const property = this.#checker.getTypeAtLocation(node).getProperty(String(name));
    if (property?.declarations?.[0]?.parent.name?.text !== 'Settings') return false;
    return (this.#checker.getTypeOfSymbol(property).flags & ts.TypeFlags.Number) !== 0;
  }

  #trace(node, path) {
    if (ts.isLiteralExpression(node) || isNullish(node)) return [];
    if (path.length === 0 ? this.isConstant(node) : this.#isSetting(node, path)) return [];
    if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isSpreadElement(node)
    )
      return this.unknownsOf(node.expression, path);
    if (ts.isConditionalExpression(node)) return this.#all([node.whenTrue, node.whenFalse], path);
    if (ts.isTemplateExpression(node))
      return node.templateSpans.flatMap(({ expression }) => this.#interpolated(expression));
    if (ts.isBinaryExpression(node)) return this.#ofBinary(node, path);
    if (ts.isPrefixUnaryExpression(node)) return [];
    if (ts.isObjectLiteralExpression(node)) return this.#ofObject(node, path);
    if (ts.isArrayLiteralExpression(node)) return this.#ofArray(node, path);
    if (ts.isPropertyAccessExpression(node)) return this.#ofProperty(node, path);
    if (ts.isElementAccessExpression(node)) return this.unknownsOf(node.expression, [stepOf(node), ...path]);
    if (ts.isCallExpression(node)) return this.#ofCall(node, path);
    if (ts.isIdentifier(node)) return this.#ofSymbol(node, path);
    // A function is not text; its result is traced where it is called.
    if (ts.isFunctionLike(node)) return [];
    return [node];
  }

  #all(nodes, path) {
    return nodes.flatMap((node) => this.unknownsOf(node, path));
  }

  #ofBinary({ operatorToken: { kind }, left, right }, path) {
    if (ARITHMETIC.has(kind)) return [];
    if (kind === ts.SyntaxKind.PlusToken) return [left, right].flatMap((side) => this.#interpolated(side));
    return this.#all(kind === ts.SyntaxKind.AmpersandAmpersandToken ? [right] : [left, right], path);
  }

  #interpolated(expression) {
    const unknowns = this.unknownsOf(expression);
    for (const origin of unknowns)
      if (!this.#interpolations.has(origin)) this.#interpolations.set(origin, expression);
    return unknowns;
  }

  #ofObject(node, [name, ...rest]) {
    // An object passed as SQL holds conditions: its keys are columns, and its values are bound.
    if (name === undefined) return node.properties.flatMap((property) => this.#ofKey(property));
    const named = node.properties.filter(
      (property) => property.name?.getText().replaceAll(/['"]/g, '') === name,
    );
    const spread = node.properties.filter((property) => ts.isSpreadAssignment(property));
    const chosen = name === ANY ? node.properties : named.length > 0 ? named : spread;
    return chosen.flatMap((property) => {
      if (ts.isSpreadAssignment(property)) return this.unknownsOf(property.expression, [name, ...rest]);
      if (ts.isPropertyAssignment(property)) return this.unknownsOf(property.initializer, rest);
      if (!ts.isShorthandPropertyAssignment(property)) return this.#returned(property, rest);
      const symbol = this.#checker.getShorthandAssignmentValueSymbol(property);
      return this.#declarations.unknownsOf(symbol?.declarations?.[0], property, rest);
    });
  }

  #ofKey({ name }) {
    return name && ts.isComputedPropertyName(name) ? this.unknownsOf(name.expression) : [];
  }

  #ofArray({ elements }, [step = ANY, ...rest]) {
    const one = typeof step === 'number' && !elements.slice(0, step + 1).some(ts.isSpreadElement);
    return (one ? elements.slice(step, step + 1) : elements).flatMap((element) =>
      ts.isSpreadElement(element)
        ? this.unknownsOf(element.expression, [ANY, ...rest])
        : this.unknownsOf(element, rest),
    );
  }

  #ofProperty(node, path) {
    if (NUMBERS.has(node.name.text)) return [];
    if (node.expression.kind === ts.SyntaxKind.ThisKeyword) return this.#ofSymbol(node.name, path);
    return this.unknownsOf(node.expression, [node.name.text, ...path]);
  }

  #ofSymbol(node, path) {
    return this.#declarations.unknownsOf(declarationOf(node, this.#checker), node, path);
  }

  #ofCall(call, path) {
    const { expression } = call;
    const name = calledName(call);
    if (
      NUMBERS.has(name) ||
      (ts.isPropertyAccessExpression(expression) && NUMBERS.has(expression.expression.getText()))
    )
      return [];
    // Quoted by the driver.
    if (name === 'escapeLiteral' || name === 'escapeIdentifier') return [];
    if (name === 'String') return this.#all(call.arguments, path);
    if (ts.isPropertyAccessExpression(expression)) {
      const receiver = expression.expression;
      if (name === 'bind' && this.#checker.getTypeAtLocation(receiver).symbol?.name === 'Parameters')
        return [];
      if (name === 'join') return [...this.unknownsOf(receiver, [ANY]), ...this.#all(call.arguments, [])];
      if (name === 'map') return this.#returnedBy(call.arguments[0], path.slice(1));
      if (name === 'flatMap') return this.#returnedBy(call.arguments[0], path);
      if (name === 'replace' || name === 'replaceAll' || name === 'concat' || name === 'padStart')
        return [...this.unknownsOf(receiver, path), ...this.#all(call.arguments, path)];
      if (receiver.getText() === 'Object') return this.#ofObjectMethod(call, name, path);
      if (PRESERVING.has(name)) return this.unknownsOf(receiver, path);
    }
    return this.#returnedBy(expression, path, call);
  }

  /** Property names of a constant are constant; property values are traced. */
  #ofObjectMethod(call, name, path) {
    const [object] = call.arguments;
    const [, part, ...rest] = path;
    if (name === 'values') return this.unknownsOf(object, path);
    if (name === 'entries' && part === 1) return this.unknownsOf(object, [ANY, ...rest]);
    const declared = declarationOf(object, this.#checker);
    const isConstant = declared !== undefined && ts.isVariableDeclaration(declared);
    return isConstant && (name === 'keys' || (name === 'entries' && part === 0)) ? [] : [call];
  }

  /** What is returned by the functions that an expression may refer to. */
  #returnedBy(expression, path, call = expression) {
    const functions = this.#functions.of(expression);
    return functions.length === 0 ? [call] : functions.flatMap((one) => this.#returned(one, path));
  }

  #returned(owner, path) {
    if (!owner.body) return [owner];
    if (!ts.isBlock(owner.body)) return this.unknownsOf(owner.body, path);
    const found = [];
    const visit = (node) => {
      if (ts.isReturnStatement(node) && node.expression)
        found.push(...this.unknownsOf(node.expression, path));
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
    };
    visit(owner.body);
    return found;
  }
}

const isNullish = (node) =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === 'undefined');

function stepOf({ argumentExpression }) {
  return ts.isNumericLiteral(argumentExpression) ? Number(argumentExpression.text) : ANY;
}
