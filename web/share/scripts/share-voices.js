// Of share pages that permit tracks.
import { find } from './dom.js';
import { player, video } from './share-page.js';
import { addVoices } from './voices.js';

const menu = find('voice', HTMLSelectElement);
if (player && video && menu) addVoices(player, video, menu);
