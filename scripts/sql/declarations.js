import ts from 'typescript';
import { ANY, calledName } from './project.js';
import { sqlArgumentCount } from './sql-sinks.js';

/** Methods that call a function for each element. */
const ITERATING = new Set(['map', 'flatMap', 'filter', 'find', 'some', 'every', 'forEach']);

/** The part of `Origins` that traces variables, fields and parameters. */
export class Declarations {
  #checker;
  #uses;
  #functions;
  #origins;

  constructor({ checker, uses }, functions, origins) {
    this.#checker = checker;
    this.#uses = uses;
    this.#functions = functions;
    this.#origins = origins;
  }

  /** `node`: the name that refers to the declaration. */
  unknownsOf(declaration, node, path) {
    if (!declaration) return [node];
    if (ts.isFunctionLike(declaration)) return [];
    if (ts.isBindingElement(declaration)) return this.#ofBinding(declaration, node, path);
    if (ts.isParameter(declaration)) return this.#ofParameter(declaration, node, path);
    if (ts.isVariableDeclaration(declaration)) return this.#ofVariable(declaration, node, path);
    if (ts.isPropertyDeclaration(declaration)) return this.#ofField(declaration, node, path);
    return [node];
  }

  #ofField(declaration, node, path) {
    const assigned = this.#assignedTo(declaration.name.getText(), declaration).map(({ right }) => right);
    const values = declaration.initializer ? [declaration.initializer, ...assigned] : assigned;
    return values.length === 0 ? [node] : values.flatMap((value) => this.#origins.unknownsOf(value, path));
  }

  #ofVariable(declaration, node, path) {
    const { name, initializer, parent } = declaration;
    if (ts.isForOfStatement(parent.parent))
      return this.#origins.unknownsOf(parent.parent.expression, [ANY, ...path]);
    const assigned = this.#assignedTo(name.getText(), declaration).map(({ right }) =>
      this.#origins.unknownsOf(right, path),
    );
    const pushed = this.#pushedTo(declaration).map((value) => this.#origins.unknownsOf(value, path.slice(1)));
    if (!initializer && assigned.length === 0) return [node];
    return [
      ...(initializer ? this.#origins.unknownsOf(initializer, path) : []),
      ...assigned.flat(),
      ...pushed.flat(),
    ];
  }

  #assignedTo(name, declaration) {
    const assignments = this.#uses.assignments.get(name) ?? [];
    return assignments.filter(({ left }) => this.#declares(left, declaration));
  }

  #pushedTo(declaration) {
    const pushes = [...(this.#uses.calls.get('push') ?? []), ...(this.#uses.calls.get('unshift') ?? [])];
    return pushes
      .filter(({ expression }) => this.#declares(expression.expression, declaration))
      .flatMap((call) => [...call.arguments]);
  }

  #declares(node, declaration) {
    return this.#checker.getSymbolAtLocation(node)?.declarations?.[0] === declaration;
  }

  /** `{ name }`, `[first]` or `...rest` of a parameter or a variable. */
  #ofBinding(binding, node, path) {
    const defaults = binding.initializer ? this.#origins.unknownsOf(binding.initializer, path) : [];
    const pattern = binding.parent;
    const full = pathInPattern(binding, path);
    const owner = pattern.parent;
    if (ts.isBindingElement(owner)) return [...defaults, ...this.#ofBinding(owner, node, full)];
    if (ts.isParameter(owner)) return [...defaults, ...this.#ofParameter(owner, node, full)];
    return [...defaults, ...this.#ofVariable(owner, node, full)];
  }

  #ofParameter(parameter, node, path) {
    const owner = parameter.parent;
    const position = owner.parameters.indexOf(parameter);
    const defaults = parameter.initializer ? this.#origins.unknownsOf(parameter.initializer, path) : [];
    const outer = owner.parent;
    // Calls of a method that accepts SQL are checked themselves.
    if (position < sqlArgumentCount(owner.name?.getText() ?? outer.name?.getText())) return [];
    if (ts.isCallExpression(outer)) return [...defaults, ...this.#ofCallback(outer, position, node, path)];
    const calls = this.#functions.callsOf(owner);
    if (calls.length === 0) return [node];
    return [...defaults, ...calls.flatMap((call) => this.#ofArgument(call, position, path))];
  }

  #ofArgument(call, position, path) {
    const passed = call.arguments ?? [];
    if (passed.slice(0, position + 1).some(ts.isSpreadElement)) return [call];
    return passed[position] ? this.#origins.unknownsOf(passed[position], path) : [];
  }

  /** An array method calls its callback with an element, then its index. */
  #ofCallback(call, position, node, path) {
    const name = calledName(call);
    if (name === 'from' && position === 1) return [];
    // TypeORM passes the column name.
    if (name === 'Raw') return [];
    if (!ITERATING.has(name) || !ts.isPropertyAccessExpression(call.expression)) return [node];
    return position === 0 ? this.#origins.unknownsOf(call.expression.expression, [ANY, ...path]) : [];
  }
}

function pathInPattern({ parent, name, propertyName, dotDotDotToken }, path) {
  if (!ts.isArrayBindingPattern(parent))
    return dotDotDotToken ? path : [(propertyName ?? name).getText(), ...path];
  if (dotDotDotToken) return [ANY, ...path.slice(1)];
  return [parent.elements.findIndex((element) => element.name === name), ...path];
}
