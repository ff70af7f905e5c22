/** Calls `report` for each use of `object.property`, a global or an import from Node, however it is written. */
export function usesOf({ object, property, report }) {
  const isObject = (node) => {
    if (node?.type === 'Identifier') return node.name === object;
    return node?.type === 'MemberExpression' && nameOf(node) === object && GLOBALS.has(node.object.name);
  };
  const matches = (name) => property === undefined || name === property;
  return {
    ImportDeclaration({ source, specifiers }) {
      if (source.value !== object && source.value !== `node:${object}`) return;
      for (const specifier of specifiers) {
        const isNamed = specifier.type === 'ImportSpecifier';
        if (!isNamed || matches(specifier.imported.name)) report(specifier);
      }
    },
    MemberExpression(node) {
      if (isObject(node.object) && matches(nameOf(node))) report(node);
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern' || !isObject(init)) return;
      for (const one of id.properties) {
        if (one.type === 'RestElement' || matches(one.key.name ?? one.key.value)) report(one);
      }
    },
  };
}

const GLOBALS = new Set(['globalThis', 'global']);

/** The name of the property read by `a.b` or `a['b']`. */
function nameOf({ computed, property }) {
  return computed ? property.value : property.name;
}
