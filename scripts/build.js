// `npm run build`
import { build, install } from './prepare.js';

install();
build();
