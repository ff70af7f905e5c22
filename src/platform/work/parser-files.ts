import { OUTPUT_FOLDER } from '../processes/confined-folder.js';

/** Name of the file with what a parser returned. */
export const PARSED = 'parsed';

/** The same, as the parser's process sees it. */
export const PARSED_PATH = `${OUTPUT_FOLDER}/${PARSED}`;
