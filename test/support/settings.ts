/** Most tests start transcriptions themselves; tests of automatic ones say so. */
export const MANUAL = { AUTO_TRANSCRIBE: 'false' };

/**
 * Some test files send in seconds what a person would spread over minutes, from one address. The other limits suffice.
 */
export const HASTE = {
  RATE_LIMIT_COSTLY_PER_MINUTE: '6000',
  RATE_LIMIT_PASSWORDS_PER_MINUTE: '6000',
  RATE_LIMIT_WRONG_KEYS_PER_MINUTE: '6000',
};
