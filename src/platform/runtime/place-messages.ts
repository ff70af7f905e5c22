/** What an API process and its primary process say to each other about places. */
export type PlaceMessage =
  | { readonly places: 'take'; readonly id: number; readonly key: string; readonly max: number }
  | { readonly places: 'answer'; readonly id: number; readonly isTaken: boolean }
  | { readonly places: 'give back'; readonly key: string };

/** Other messages pass the same channel. */
export const isPlaceMessage = (message: unknown): message is PlaceMessage =>
  typeof message === 'object' && message !== null && 'places' in message;
