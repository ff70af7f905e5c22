import { transferableSymbol, valueSymbol } from 'piscina';

/** A function that runs in a thread of `WorkPool`: the default export of the module at `module` (`import.meta.url`). */
export interface ThreadTask<Input, Output> {
  readonly module: string;
  /** Types only: what the function takes and gives. */
  readonly run?: (input: Input) => Promise<Output> | Output;
}

/**
 * The result of a task, with the memory of `arrays` handed over instead of copied. Each needs memory of its own, as a
 * `TextEncoder` gives it.
 */
export function handOver<Output extends object>(result: Output, arrays: readonly Uint8Array[]): Output {
  return {
    [transferableSymbol]: arrays.map(({ buffer }) => buffer),
    [valueSymbol]: result,
  } as unknown as Output;
}
