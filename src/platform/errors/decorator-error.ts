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
