/** What to upload: a file of a form or of `fs.openAsBlob`, bytes, or a stream, also of a meeting that is still running. */
export type Source =
  Blob | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | ReadableSource;

/** A source that can be read from any place, such as what a recorder has kept: `resume` then reads only what is missing. */
export interface ReadableSource {
  /** In bytes; null if only the end will tell. */
  readonly size: number | null;
  /** At least one and at most this many bytes, once they are there; none at the end. */
  read(offset: number, size: number): Promise<Blob>;
}

/** A source that can be read from any place not before that of the last read. */
export interface OpenSource extends ReadableSource {
  readonly name: string | undefined;
  close(): Promise<void>;
}

export function sourceOf(given: Source): OpenSource {
  if (isReadable(given))
    return {
      size: given.size,
      name: undefined,
      read: (offset, size) => given.read(offset, size),
      close: async () => undefined,
    };
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given))
    return sourceOf(new Blob([given as BlobPart]));
  if (!(given instanceof Blob)) return new StreamSource(given);
  return {
    size: given.size,
    name: 'name' in given ? String(given.name) : undefined,
    read: async (offset, size) => given.slice(offset, offset + size),
    close: async () => undefined,
  };
}

/** Streams of Node have another `read`. */
const isReadable = (given: Source): given is ReadableSource =>
  'read' in given && !(Symbol.asyncIterator in given);

/** Keeps what was read last: what the service has not stored is sent again. */
class StreamSource implements OpenSource {
  readonly size = null;
  readonly name = undefined;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #start = 0;
  #held: Uint8Array = new Uint8Array();

  constructor(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>) {
    this.#chunks = chunksOf(stream);
  }

  async read(offset: number, size: number): Promise<Blob> {
    const parts: Uint8Array[] = [];
    let skipped = offset - this.#start;
    let length = 0;
    for (let part = this.#held; ;) {
      const kept = part.subarray(skipped);
      skipped = Math.max(0, skipped - part.length);
      parts.push(kept);
      length += kept.length;
      if (length >= size) break;
      const next = await this.#chunks.next();
      if (next.done) break;
      part = next.value;
    }
    const all = new Blob(parts as BlobPart[]);
    this.#start = offset;
    this.#held = new Uint8Array(await all.arrayBuffer());
    return all.slice(0, size);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }
}

/** Not every browser can iterate over a stream. */
function chunksOf(stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  if (Symbol.asyncIterator in stream) return stream[Symbol.asyncIterator]();
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Uint8Array>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}
