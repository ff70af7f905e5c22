import { describe } from '@jest/globals';
import { LibavPackager } from '../../src/modules/packaging/libav/libav.packager.js';
import { keepsAllSound } from '../support/sound-contract.js';

describe('the sound of a recording, with the library', () => keepsAllSound(new LibavPackager()));
