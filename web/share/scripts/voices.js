// One voice alone: its sound takes the place of that in the file of the recording.

/** @import { FragmentLoaderContext, HlsConfig, LoaderCallbacks, LoaderConfiguration } from 'hls.js' */
/** @import { Player } from './player.js' */
/** @import { HlsLibrary } from './types.js' */
/** @typedef {{ start: number, body: number, end: number }} Box */

/** As a playlist calls what is heard in the recording itself. */
const EVERYONE = 'Everyone';

/** Offers in the menu, once a playlist has been read, who can be heard alone. @param {Player} player @param {HTMLVideoElement} video @param {HTMLSelectElement} menu @param {AbortSignal} [signal] */
export function addVoices(player, video, menu, signal) {
  const loadLight = player.loadHls;
  /** Those of Safari's own HLS. @returns {{ label: string, enabled: boolean }[]} */
  const nativeTracks = () => Array.from(/** @type {any} */ (video).audioTracks ?? []);
  const hear = () => {
    if (player.isStarted && nativeTracks().length === 0) player.restart();
    for (const track of nativeTracks()) track.enabled = track.label === (menu.value || EVERYONE);
  };
  /** @param {readonly string[]} names */
  const show = (names) => {
    const { value } = menu;
    menu.length = 1;
    menu.append(...names.map((name) => new Option(name, name)));
    if (menu.parentElement) menu.parentElement.hidden = names.length === 0;
    menu.value = names.includes(value) ? value : '';
    // Not while hls.js reads the playlist.
    if (menu.value !== value) queueMicrotask(hear);
  };
  player.loadHls = async () => {
    // Only the full build knows other sound than that in the file.
    const full = menu.value && (await import('./hls-full.js').catch(() => null));
    if (!full) menu.value = '';
    const Hls = full ? full.default : await loadLight();
    return Hls && withVoices(Hls, show, menu.value ? voiceAlone(Hls, menu.value) : {});
  };
  menu.addEventListener('change', hear, { signal });
  video.addEventListener('loadedmetadata', () => {
    const names = nativeTracks().map(({ label }) => label);
    if (names.length > 1) show(names.filter((name) => name !== EVERYONE));
  });
}

/** @param {HlsLibrary} Hls @param {(names: readonly string[]) => void} show @param {Partial<HlsConfig>} more */
const withVoices = (Hls, show, more) =>
  class extends Hls {
    constructor(/** @type {Partial<HlsConfig>} */ config) {
      super({ ...config, ...more });
      this.on(Hls.Events.MANIFEST_PARSED, (_, { audioTracks }) =>
        show(audioTracks.filter(({ url }) => url).map(({ name }) => name)),
      );
    }
  };

/** Settings of hls.js for the rendition of this name. @param {HlsLibrary} Hls @param {string} name @returns {Partial<HlsConfig>} */
function voiceAlone(Hls, name) {
  const Loader = /** @type {NonNullable<HlsConfig['fLoader']>} */ (
    /** @type {any} */ (Hls.DefaultConfig.loader)
  );
  /** @type {Set<number>} */
  const sounds = new Set();
  class PictureLoader extends Loader {
    /** @param {FragmentLoaderContext} context @param {LoaderConfiguration} config @param {LoaderCallbacks<FragmentLoaderContext>} callbacks */
    load(context, config, callbacks) {
      /** @type {typeof callbacks.onSuccess} */
      const onSuccess = (response, ...more) => {
        if (context.frag.type === 'main' && response.data instanceof ArrayBuffer)
          removeSound(response.data, sounds);
        callbacks.onSuccess(response, ...more);
      };
      super.load(context, config, { ...callbacks, onSuccess });
    }
  }
  return { audioPreference: { name }, fLoader: PictureLoader };
}

/**
 * Marks the sound in a piece of fragmented MP4 as free space, unless there is no picture: hls.js does not separate the two.
 * `sounds` keeps the ids of its tracks, which only the first piece describes.
 * @param {ArrayBuffer} piece @param {Set<number>} sounds
 */
function removeSound(piece, sounds) {
  const view = new DataView(piece);
  const free = (/** @type {Box} */ { start }) => view.setUint32(start + 4, code('free'));
  const tracks = boxes(view, 'moov', 'trak');
  const heard = tracks.filter((track) => read(view, track, 8, 'mdia', 'hdlr') === code('soun'));
  if (heard.length < tracks.length)
    for (const track of heard) {
      // Version 1 has longer times before the id.
      sounds.add(read(view, track, read(view, track, 0, 'tkhd') >> 24 ? 20 : 12, 'tkhd'));
      free(track);
    }
  for (const run of boxes(view, 'moof', 'traf')) if (sounds.has(read(view, run, 4, 'tfhd'))) free(run);
}

/** @param {string} type */
const code = (type) => [...type].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);

/** The boxes at a path. @param {DataView} view @param {readonly string[]} path */
const boxes = (view, ...path) =>
  path.reduce(
    (parents, type) => parents.flatMap((parent) => [...children(view, parent, type)]),
    [{ start: 0, body: 0, end: view.byteLength }],
  );

/** @param {DataView} view @param {Box} parent @param {string} type @returns {Generator<Box>} */
function* children(view, { body, end }, type) {
  // Those of packages are never longer than 32 bits can say.
  for (let start = body, size = 8; start + 8 <= end && size >= 8; start += size) {
    size = view.getUint32(start);
    if (view.getUint32(start + 4) === code(type)) yield { start, body: start + 8, end: start + size };
  }
}

/** Four bytes of a box in another. @param {DataView} view @param {Box} box @param {number} offset @param {readonly string[]} path */
const read = (view, box, offset, ...path) =>
  view.getUint32(
    path.reduce((parent, type) => [...children(view, parent, type)][0] ?? parent, box).body + offset,
  );
