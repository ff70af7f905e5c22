/** A decorator that cannot document what it stands on. The message says where that is, and what to write instead. */
export class DecoratorError extends Error {
  constructor(target: object, key: string | symbol, text: string) {
    super(`${target.constructor.name}.${String(key)}: ${text}`);
    this.name = 'DecoratorError';
  }
}

/** Why something imported is undefined when a class is declared. */
export const IMPORTED_TOO_LATE =
  'if it is imported, its file imports this one, directly or through others, and has not run yet: move it to a file that imports neither';

/** A decorator for one of these values. Made only where it stands, so that an error can say where. */
export function choiceOf(
  values: readonly string[] | undefined,
  make: () => PropertyDecorator,
): PropertyDecorator {
  return (target, key) => {
    if (!values)
      throw new DecoratorError(target, key, `its list of \`values\` is undefined; ${IMPORTED_TOO_LATE}`);
    if (values.length === 0)
      throw new DecoratorError(target, key, 'its list of `values` is empty: name what the field can be');
    make()(target, key);
  };
}
