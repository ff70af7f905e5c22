import { release } from './setup.js';

/** Stops the database that `setup.js` has started, and removes what tests have left. */
export default release;
