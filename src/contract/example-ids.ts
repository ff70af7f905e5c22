/**
 * Ids that the API document fills in, by what they identify. Those of the demo workspace where it has one: "Try it out" then
 * finds something.
 */
export const EXAMPLE_IDS = {
  recording: '01a1edfd-ddc0-7c01-8c00-5eed0000c001',
  organization: '019c1d66-c3c0-7b01-8b00-5eed0000b001',
  'API key': '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90',
  'share link': '01a1f4b2-7c41-7d0e-9a35-6b8e2f1d4c70',
} as const;

/** For what the demo has none of. */
export const SOME_ID = '01998a3c-5b1e-7c3a-9f04-2d1c6b7e8a90';
