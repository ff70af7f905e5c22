/** Works on several of the items at a time. After a failure, begins no more, and waits for those that it has begun. */
export async function forEachOf<Item>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  const failure = new AbortController();
  const take = async (): Promise<void> => {
    while (!failure.signal.aborted) {
      const next = await iterator.next();
      if (next.done) return;
      await work(next.value);
    }
  };
  const workers = Array.from({ length: atOnce }, () =>
    take().catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const ended = await Promise.allSettled(workers);
  await iterator.return?.();
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
