/** What people call files of these media types; the first that matches. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'a PDF document'],
  [/wordprocessingml|ms-word/, 'a Word document'],
  [/spreadsheetml|ms-excel/, 'an Excel workbook'],
  [/presentationml|ms-powerpoint/, 'a PowerPoint presentation'],
  [/^application\/x-cfb$/, 'a Microsoft Office document'],
  [/opendocument\.text/, 'an OpenDocument text document'],
  [/\/rtf$/, 'an RTF document'],
  [/^text\/html$/, 'a web page (HTML)'],
  [/^application\/xml$/, 'an XML document'],
  [/^application\/json$/, 'a JSON document'],
  [/^text\/plain$/, 'a text file'],
  [/^text\/vtt$/, 'a WebVTT subtitle file'],
  [/subrip$/, 'an SRT subtitle file'],
  [/x-ssa$/, 'an SSA subtitle file'],
  [/x-mpegurl$/, 'a playlist (M3U)'],
  [/^audio\/midi$/, 'a MIDI file'],
  [/^image\/jpeg$/, 'a JPEG image'],
  [/^image\/png$/, 'a PNG image'],
  [/^image\/gif$/, 'a GIF image'],
  [/^image\/webp$/, 'a WebP image'],
  [/^image\/hei[cf]/, 'a HEIC image'],
  [/^image\/svg/, 'an SVG image'],
  [/\/zip$/, 'a ZIP archive'],
  [/rar-compressed$/, 'a RAR archive'],
  [/7z-compressed$/, 'a 7-Zip archive'],
  [/x-tar$/, 'a TAR archive'],
  [/gzip$/, 'a gzip archive'],
  [/x-bzip2|x-xz|zstd|x-lz|x-compress$/, 'a compressed file'],
  [/x-msdownload|x-elf|x-mach-binary|wasm$/, 'a program'],
];
const KINDS: Readonly<Record<string, string>> = {
  image: 'an image',
  font: 'a font',
  model: 'a 3D model',
  text: 'a text file',
};

/** What a file of this media type is, with an article: `a PDF document`. */
export function nameOfType(type: string): string {
  const kind = KINDS[type.split('/')[0] ?? ''] ?? 'a file';
  return NAMES.find(([pattern]) => pattern.test(type))?.[1] ?? `${kind} of type ${type}`;
}
