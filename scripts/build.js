// `npm run build`
import { prepare } from './prepare.js';

await prepare();
