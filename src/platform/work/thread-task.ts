import { move, transferableSymbol, valueSymbol } from 'piscina';

/** A function that runs in a thread of `WorkPool`: the default export of the module at `module` (`import.meta.url`). */
export interface ThreadTask<Input, Output> {
  readonly module: string;
  /** Only infers types: the input and output of the function. */
  readonly run?: (input: Input) => Promise<Output> | Output;
}

/** A result whose `arrays`, each with an `ArrayBuffer` of its own, are transferred, not copied. */
export function handOver<Output extends object>(result: Output, arrays: readonly Uint8Array[]): Output {
  const moved = { [transferableSymbol]: arrays.map(({ buffer }) => buffer), [valueSymbol]: result };
  return move(moved) as unknown as Output;
}
