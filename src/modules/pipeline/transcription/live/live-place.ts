import { z } from '../../../../lib/zod.js';

const PLACE = z.object({
  /** Bytes of the header, which every piece needs; null until there is a piece. */
  header: z.int().min(0).nullable(),
  /** Offset of the byte that the next piece begins with. */
  from: z.int().min(0),
  /** Seconds on the clock of the file when the recording begins. */
  origin: z.number(),
  /** Pieces in a row that could not be heard. */
  failures: z.int().min(0),
});

/** Where the next piece of a meeting in progress begins. Kept beside the state of the transcriber. */
export type LivePlace = Readonly<z.output<typeof PLACE>>;

const STATE = z.object({ live: PLACE });
const BEGINNING: LivePlace = { header: null, from: 0, origin: 0, failures: 0 };

export const readPlace = (state: unknown): LivePlace => STATE.safeParse(state).data?.live ?? BEGINNING;

export const withPlace = (state: unknown, live: LivePlace): object => ({ ...(state as object | null), live });
