import { describe } from '@jest/globals';
import { denseBombs } from '../e2e/search/dense-bombs/bombs.js';

describe('a megabyte', () => denseBombs(350_000));
