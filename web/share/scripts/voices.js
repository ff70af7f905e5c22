// One voice alone: its sound takes the place of that in the file of the recording.

/** @import { FragmentLoaderContext, HlsConfig, LoaderCallbacks, LoaderConfiguration } from 'hls.js' */
/** @import { HlsLibrary } from './types.js' */
/** @typedef {{ start: number, body: number, end: number }} Box */

/** Settings of hls.js, in its full build, for the rendition of this name. @param {HlsLibrary} Hls @param {string} name @returns {Partial<HlsConfig>} */
export function voiceAlone(Hls, name) {
  /** @type {Set<number>} */
  const sounds = new Set();
  const Loader = /** @type {NonNullable<HlsConfig['fLoader']>} */ (
    /** @type {unknown} */ (Hls.DefaultConfig.loader)
  );
  class PictureLoader extends Loader {
    /** @param {FragmentLoaderContext} context @param {LoaderConfiguration} config @param {LoaderCallbacks<FragmentLoaderContext>} callbacks */
    load(context, config, callbacks) {
      const { onSuccess } = callbacks;
      super.load(context, config, {
        ...callbacks,
        onSuccess: (response, ...more) => {
          if (context.frag.type === 'main' && response.data instanceof ArrayBuffer)
            removeSound(response.data, sounds);
          onSuccess(response, ...more);
        },
      });
    }
  }
  return { audioPreference: { name }, fLoader: PictureLoader };
}

/**
 * Marks the sound in a piece of fragmented MP4 as free space, unless there is no picture: hls.js does not separate the two.
 * `sounds` keeps the ids of its tracks, which only the first piece describes.
 * @param {ArrayBuffer} piece @param {Set<number>} sounds
 */
export function removeSound(piece, sounds) {
  const view = new DataView(piece);
  const whole = { start: 0, body: 0, end: piece.byteLength };
  for (const moov of boxes(view, whole, 'moov')) {
    const tracks = boxes(view, moov, 'trak');
    const heard = tracks.filter(
      (track) => view.getUint32(inside(view, track, 'mdia', 'hdlr') + 8) === code('soun'),
    );
    if (heard.length === tracks.length) continue;
    for (const track of heard) {
      const header = inside(view, track, 'tkhd');
      // Version 1 has longer times before the id.
      sounds.add(view.getUint32(header + (view.getUint8(header) === 1 ? 20 : 12)));
      view.setUint32(track.start + 4, code('free'));
    }
  }
  for (const moof of boxes(view, whole, 'moof'))
    for (const run of boxes(view, moof, 'traf'))
      if (sounds.has(view.getUint32(inside(view, run, 'tfhd') + 4)))
        view.setUint32(run.start + 4, code('free'));
}

/** @param {string} type */
const code = (type) => [...type].reduce((sum, letter) => sum * 256 + letter.charCodeAt(0), 0);

/** @param {DataView} view @param {Box} parent @param {string} type @returns {Box[]} */
function boxes(view, parent, type) {
  const found = [];
  for (let start = parent.body; start + 8 <= parent.end;) {
    const size = view.getUint32(start);
    // Those of packages are never longer than 32 bits can say.
    if (size < 8) break;
    if (view.getUint32(start + 4) === code(type)) found.push({ start, body: start + 8, end: start + size });
    start += size;
  }
  return found;
}

/** Where the content of a box begins that is in another. @param {DataView} view @param {Box} box @param {readonly string[]} path */
function inside(view, box, ...path) {
  return path.reduce((parent, type) => boxes(view, parent, type)[0] ?? parent, box).body;
}
