/** What `api.upload` reads: a file, or the chunks of a recording, of which there may be more to come. */
export class KeptSource {
  /** In bytes; null of a recording, so that the service learns its end from the last piece. */
  size;
  #parts;
  #hasEnded;
  /** Up to where it has been read. */
  #read = 0;
  #more = () => {};

  /** @param {readonly Blob[]} parts @param {{ size: number | null, hasEnded: boolean }} options */
  constructor(parts, { size, hasEnded }) {
    this.#parts = [...parts];
    this.#hasEnded = hasEnded;
    this.size = size;
  }

  /** How much there is. */
  get length() {
    return this.#parts.reduce((sum, part) => sum + part.size, 0);
  }

  /** Whether all of it has been read, or was sent before: what the service says is complete, is. @param {number} sent */
  isComplete(sent) {
    return this.#hasEnded && Math.max(sent, this.#read) >= this.length;
  }

  /** Forgets what was read before, by an attempt that has been given up. */
  rewind() {
    this.#read = 0;
  }

  /** @param {Blob} part */
  add(part) {
    this.#parts.push(part);
    this.#more();
    return this.#parts.length - 1;
  }

  /** Replaces a part by what was kept of it, so that it need not stay in memory. @param {number} index @param {Blob} part */
  set(index, part) {
    this.#parts[index] = part;
  }

  /** Whether it has not been changed or removed since it was chosen. */
  isReadable() {
    const last = this.whole().slice(-1);
    return last.arrayBuffer().then(
      () => true,
      () => false,
    );
  }

  end() {
    this.#hasEnded = true;
    this.#more();
  }

  /** @param {number} offset @param {number} size */
  async read(offset, size) {
    while (!this.#hasEnded && this.length <= offset)
      await new Promise((resolve) => (this.#more = () => resolve(undefined)));
    const piece = await new Blob(this.#parts).slice(offset, offset + size).arrayBuffer();
    this.#read = offset + piece.byteLength;
    // Not the slice itself: a request tells a file that has gone from no connection in no way.
    return new Blob([piece]);
  }

  /** All of it, such as to save it elsewhere. */
  whole() {
    return new Blob(this.#parts, { type: this.#parts[0]?.type });
  }
}
