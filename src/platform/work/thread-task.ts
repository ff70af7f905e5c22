import { move, transferableSymbol, valueSymbol } from 'piscina';

/** A function that runs in a thread of `WorkPool`: the default export of the module at `module` (`import.meta.url`). */
export interface ThreadTask<Input, Output> {
  readonly module: string;
  /** Types only: what the function takes and gives. */
  readonly run?: (input: Input) => Promise<Output> | Output;
}

/** Bytes in memory that is theirs alone, so that it can be handed over: buffers of Node often share theirs. */
export function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(bytes);
}

/**
 * The result of a task, with the memory of `arrays` handed over instead of copied. Each needs memory of its own, as a
 * `TextEncoder` gives it.
 */
export function handOver<Output extends object>(result: Output, arrays: readonly Uint8Array[]): Output {
  const moved = { [transferableSymbol]: arrays.map(({ buffer }) => buffer), [valueSymbol]: result };
  return move(moved) as unknown as Output;
}
