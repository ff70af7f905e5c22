import { move, transferableSymbol, valueSymbol } from 'piscina';

/** A function that runs in a thread of `WorkPool`: the default export of the module at `module` (`import.meta.url`). */
export interface ThreadTask<Input, Output> {
  readonly module: string;
  /** For type inference only: the input and output of the function. */
  readonly run?: (input: Input) => Promise<Output> | Output;
}

/** The bytes in an `ArrayBuffer` of their own, so that it can be transferred: Node's buffers often share one. */
export function ownMemory(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? (bytes as Uint8Array<ArrayBuffer>)
    : Uint8Array.from(bytes);
}

/**
 * The result of a task, with the memory of `arrays` transferred instead of copied. Each must have an `ArrayBuffer` of its
 * own, like those from a `TextEncoder`.
 */
export function handOver<Output extends object>(result: Output, arrays: readonly Uint8Array[]): Output {
  const moved = { [transferableSymbol]: arrays.map(({ buffer }) => buffer), [valueSymbol]: result };
  return move(moved) as unknown as Output;
}
