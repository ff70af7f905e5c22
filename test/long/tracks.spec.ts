import { describe } from '@jest/globals';
import { FFMPEG, ffmpegPath } from '../support/requirements.js';
import { keepsTracksContract } from '../support/tracks-contract.js';

describe('the tracks of a recording, by the library', () => keepsTracksContract(undefined));
FFMPEG.describe('the tracks of a recording, by the program', () => keepsTracksContract(ffmpegPath));
