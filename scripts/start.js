// `npm start`: from a fresh clone to a running service.
import { prepare } from './prepare.js';

prepare();
process.setSourceMapsEnabled(true);
await import('../dist/src/main.js');
