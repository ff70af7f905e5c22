import { describe } from '@jest/globals';
import { denseBombs } from './dense-bombs/bombs.js';

describe('300 kilobytes', () => denseBombs(100_000));
