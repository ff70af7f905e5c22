import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api } from './api.js';

/** @import { Item, ListPath } from 'meeting-recording-client' */

/** A list that is loaded again gets back at most this many items at once; `more` loads the rest. */
const MOST_RELOADED = 500;

/**
 * What a component shows of the service: `data` is undefined until it has been loaded; `reload` keeps it until then, `set` replaces it.
 * @template T @param {(signal: AbortSignal) => Promise<T>} load @param {readonly unknown[]} inputs loads again once one has changed
 */
export function useData(load, inputs) {
  const [state, setState] = useState(
    /** @type {{ data?: T, error?: unknown, isLoading: boolean }} */ ({ isLoading: true }),
  );
  const [round, setRound] = useState(0);
  const loaded = useRef(/** @type {readonly unknown[] | null} */ (null));
  useEffect(() => {
    const ending = new AbortController();
    const isSame = loaded.current?.every((input, index) => input === inputs[index]) ?? false;
    setState((before) => ({ data: isSame ? before.data : undefined, isLoading: true }));
    const { signal } = ending;
    const run = async () => {
      try {
        const data = await load(signal);
        if (signal.aborted) return;
        loaded.current = inputs;
        setState({ data, isLoading: false });
      } catch (error) {
        if (!signal.aborted) setState(({ data }) => ({ data, error, isLoading: false }));
      }
    };
    void run();
    return () => ending.abort();
  }, [...inputs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  const set = useCallback((/** @type {T} */ data) => setState({ data, isLoading: false }), []);
  return { ...state, reload, set };
}

/** Most lists to choose from are shorter. */
const MOST_LISTED = 1_000;

/** The first of a list, to choose from. @template {ListPath} P @param {P} path @param {{ path?: object, signal?: AbortSignal }} options */
export async function listAll(path, options) {
  /** @type {Item<P>[]} */
  const all = [];
  // Which options a path takes cannot be said of all paths at once.
  const call = /** @type {any} */ ({ ...options, query: { limit: 100 } });
  for await (const one of api.list(path, call)) if (all.push(one) >= MOST_LISTED) break;
  return all;
}

/**
 * The pages of a list with cursors, as far as they have been asked for with `more`; `reply`: what the first has besides. `change` replaces an item, or removes it with null.
 * @template {ListPath} P @param {P} path @param {{ path?: object, query?: object }} options @param {readonly unknown[]} inputs begins anew once one has changed
 */
export function usePages(path, options, inputs) {
  const [items, setItems] = useState(/** @type {readonly Item<P>[]} */ ([]));
  const [cursor, setCursor] = useState(/** @type {string | null} */ (null));
  const wanted = useRef(0);
  /** Which list it is: pages of an earlier one, which are still on their way, are left out. */
  const generation = useRef(0);
  const page = async (/** @type {string | null} */ after, /** @type {AbortSignal} */ signal) => {
    const query = { limit: 50, ...options.query, ...(after && { cursor: after }) };
    // Which options a path takes cannot be said of all paths at once.
    const call = /** @type {any} */ ({ ...options, query, signal });
    const { data, pagination, ...reply } = /** @type {any} */ (await api.page(path, call));
    const following = /** @type {string | null} */ (pagination?.next_cursor ?? null);
    return { data: /** @type {Item<P>[]} */ (data), cursor: following, reply, total: pagination?.total };
  };
  const first = useData(async (signal) => {
    generation.current += 1;
    const { data, ...begun } = await page(null, signal);
    let next = begun.cursor;
    // As much as was there before it was loaded again.
    while (next && data.length < Math.min(wanted.current, MOST_RELOADED)) {
      const more = await page(next, signal);
      data.push(...more.data);
      next = more.cursor;
    }
    wanted.current = 0;
    signal.throwIfAborted();
    setItems(data);
    setCursor(next);
    return begun;
  }, inputs);
  const [next, setNext] = useState(
    /** @type {{ isLoading: boolean, error?: unknown }} */ ({ isLoading: false }),
  );
  const more = useCallback(async () => {
    const { current } = generation;
    setNext({ isLoading: true });
    try {
      const { data, ...found } = await page(cursor, new AbortController().signal);
      setNext({ isLoading: false });
      if (current !== generation.current) return;
      setItems((before) => [...before, ...data]);
      setCursor(found.cursor);
    } catch (error) {
      setNext({ isLoading: false, error });
    }
  }, [cursor, ...inputs]);
  const change = useCallback((/** @type {string} */ id, /** @type {Item<P> | null} */ item) => {
    setItems((before) => before.flatMap((one) => (/** @type {any} */ (one).id === id ? (item ?? []) : one)));
  }, []);
  const reload = useCallback(() => {
    wanted.current = items.length;
    first.reload();
  }, [items.length]);
  return {
    items,
    total: /** @type {number | undefined} */ (first.data?.total),
    reply: first.data?.reply,
    error: first.error ?? next.error,
    isLoading: first.isLoading || next.isLoading,
    hasMore: Boolean(cursor),
    more,
    reload,
    change,
  };
}
