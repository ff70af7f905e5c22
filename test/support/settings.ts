/** Most tests start transcriptions themselves; tests of automatic ones say so. */
export const MANUAL = { AUTO_TRANSCRIBE: 'false' };
