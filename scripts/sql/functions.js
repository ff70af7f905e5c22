import ts from 'typescript';
import { declarationOf } from './project.js';

/** Finds the calls of a function, and the functions that an expression may refer to, by static analysis of the project. */
export class Functions {
  #checker;
  #uses;
  #callsOf = new Map();

  constructor({ checker, uses }) {
    this.#checker = checker;
    this.#uses = uses;
  }

  callsOf(owner) {
    if (!this.#callsOf.has(owner)) {
      // Set first, as a search through a lookup table of functions may recurse to this function.
      this.#callsOf.set(owner, []);
      this.#callsOf.set(owner, this.#findCalls(owner));
    }
    return this.#callsOf.get(owner);
  }

  #findCalls(owner) {
    if (ts.isConstructorDeclaration(owner)) return this.#uses.calls.get(owner.parent.name?.text) ?? [];
    const named = ts.isFunctionDeclaration(owner) || ts.isMethodDeclaration(owner) ? owner : owner.parent;
    const name = named.name?.getText();
    if (name === undefined) return [];
    const byName = (this.#uses.calls.get(name) ?? []).filter((call) => this.#mayCall(call, named));
    const fromTable = ts.isPropertyAssignment(named) ? (this.#uses.calls.get('[]') ?? []) : [];
    return [...byName, ...fromTable.filter(({ expression }) => this.of(expression).includes(owner))];
  }

  #mayCall({ expression }, named) {
    const at = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
    const found = declarationOf(at, this.#checker);
    return found !== undefined && (found === named || this.#implements(named, found));
  }

  /** Whether a method or property implements a member of an interface. */
  #implements(named, member) {
    if (!ts.isPropertySignature(member) && !ts.isMethodSignature(member)) return false;
    if (ts.isObjectLiteralExpression(named.parent)) {
      const property = this.#checker.getContextualType(named.parent)?.getProperty(named.name.getText());
      return property?.declarations?.includes(member) ?? false;
    }
    const clauses = named.parent.heritageClauses ?? [];
    return clauses.some(({ types }) =>
      types.some(({ expression }) => declarationOf(expression, this.#checker) === member.parent),
    );
  }

  /** The functions that an expression may refer to: a declared one, those in a lookup table, or those that implement a member. */
  of(node, seen = new Set()) {
    if (seen.has(node)) return [];
    seen.add(node);
    if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) return [node];
    if (ts.isElementAccessExpression(node)) return this.#entriesOf(node.expression);
    const declaration = this.#declarationOf(node);
    if (!declaration) return [];
    if (ts.isFunctionLike(declaration) && declaration.body) return [declaration];
    if (ts.isVariableDeclaration(declaration) && declaration.initializer)
      return this.of(declaration.initializer, seen);
    if (ts.isPropertySignature(declaration) || ts.isMethodSignature(declaration))
      return (this.#uses.properties.get(declaration.name.getText()) ?? [])
        .filter((property) => this.#implements(property, declaration))
        .flatMap((property) => this.of(property.initializer ?? property, seen));
    return [];
  }

  #declarationOf(node) {
    if (ts.isShorthandPropertyAssignment(node))
      return this.#checker.getShorthandAssignmentValueSymbol(node)?.declarations?.[0];
    return declarationOf(ts.isPropertyAccessExpression(node) ? node.name : node, this.#checker);
  }

  /** All functions in a lookup table that is a constant or is passed as a parameter. */
  #entriesOf(table) {
    const declaration = declarationOf(table, this.#checker);
    if (!declaration) return [];
    if (
      ts.isVariableDeclaration(declaration) &&
      declaration.initializer &&
      ts.isObjectLiteralExpression(declaration.initializer)
    )
      return declaration.initializer.properties.flatMap(({ initializer }) =>
        initializer ? this.of(initializer) : [],
      );
    if (!ts.isParameter(declaration)) return [];
    const position = declaration.parent.parameters.indexOf(declaration);
    return this.callsOf(declaration.parent).flatMap((call) => this.#entriesOf(call.arguments[position]));
  }
}
