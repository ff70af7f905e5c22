/** What people call files of these media types. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'a PDF document': ['application/pdf'],
  'a Word document': [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
    'application/vnd.ms-word.document.macroenabled.12',
    'application/vnd.ms-word.template.macroenabled.12',
  ],
  'an Excel workbook': [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.ms-excel.template.macroenabled.12',
  ],
  'a PowerPoint presentation': [
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.openxmlformats-officedocument.presentationml.template',
    'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
    'application/vnd.ms-powerpoint.presentation.macroenabled.12',
    'application/vnd.ms-powerpoint.template.macroenabled.12',
    'application/vnd.ms-powerpoint.slideshow.macroenabled.12',
  ],
  'a Microsoft Office document': ['application/x-cfb'],
  'an OpenDocument text': ['application/vnd.oasis.opendocument.text'],
  'an OpenDocument spreadsheet': ['application/vnd.oasis.opendocument.spreadsheet'],
  'an OpenDocument presentation': ['application/vnd.oasis.opendocument.presentation'],
  'an RTF document': ['application/rtf'],
  'an e-book': ['application/epub+zip', 'application/x-mobipocket-ebook'],
  'a PostScript document': ['application/postscript', 'application/eps'],
  'a web page (HTML)': ['text/html'],
  'an XML document': ['application/xml'],
  'a JSON document': ['application/json'],
  'a text': ['text/plain'],
  'a WebVTT subtitle file': ['text/vtt'],
  'an SRT subtitle file': ['application/x-subrip'],
  'an SSA subtitle file': ['text/x-ssa'],
  'a playlist (M3U)': ['application/x-mpegurl'],
  'a MIDI file': ['audio/midi'],
  'a tracker module': ['audio/x-it', 'audio/x-s3m', 'audio/x-xm'],
  'a Flash animation': ['application/x-shockwave-flash'],
  'a JPEG image': ['image/jpeg'],
  'a PNG image': ['image/png'],
  'an animated PNG image': ['image/apng'],
  'a GIF image': ['image/gif'],
  'a WebP image': ['image/webp'],
  'an AVIF image': ['image/avif'],
  'a HEIC image': ['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence'],
  'a TIFF image': ['image/tiff'],
  'a BMP image': ['image/bmp'],
  'an SVG image': ['image/svg+xml'],
  'an icon': ['image/x-icon', 'image/icns'],
  'a Photoshop image': ['image/vnd.adobe.photoshop'],
  'a ZIP archive': ['application/zip'],
  'a RAR archive': ['application/x-rar-compressed'],
  'a 7-Zip archive': ['application/x-7z-compressed'],
  'a TAR archive': ['application/x-tar'],
  'a gzip archive': ['application/gzip'],
  'a compressed file': [
    'application/x-bzip2',
    'application/x-xz',
    'application/zstd',
    'application/x-lz4',
    'application/x-lzip',
    'application/x-compress',
  ],
  'a disk image': ['application/x-apple-diskimage'],
  'a program': [
    'application/x-msdownload',
    'application/x-elf',
    'application/x-mach-binary',
    'application/wasm',
  ],
  'an Android app': ['application/vnd.android.package-archive'],
  'a Java archive': ['application/java-archive'],
  'a SQLite database': ['application/x-sqlite3'],
};

const NAME_OF = new Map(Object.entries(NAMES).flatMap(([name, types]) => types.map((type) => [type, name])));
const KINDS: Readonly<Record<string, string>> = {
  image: 'an image',
  font: 'a font',
  model: 'a 3D model',
  text: 'a text',
};

/** What a file of this media type is, with an article: `a PDF document`. */
export function nameOfType(type: string): string {
  const kind = KINDS[type.split('/')[0] ?? ''] ?? 'a file';
  return NAME_OF.get(type) ?? `${kind} of type ${type}`;
}
