export const BOUNDARY = '------------------------5f2a';

/** The headers of a form that `sendForm` or a client of its own sends. */
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A part of a form, as curl sends it: a file, or a field if there is no name. */
export function part(
  content: string | Uint8Array,
  {
    name = 'file',
    fileName,
    headers = [],
  }: { name?: string; fileName?: string; headers?: readonly string[] } = {},
): Buffer {
  const disposition = `form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`;
  const head = [`Content-Disposition: ${disposition}`, ...headers].map((line) => `${line}\r\n`).join('');
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

export const filePart = (
  content: string | Uint8Array,
  fileName = 'otter.txt',
  ...headers: string[]
): Buffer => part(content, { fileName, headers });

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** A complete form of these parts. */
export const form = (...parts: readonly Uint8Array[]): Buffer => Buffer.concat([...parts, END]);

const NO_BOUNDARY = 'the form does not begin with the boundary that its Content-Type names';

/**
 * Forms that are not the one file that is taken, with what the reply says about each; the file comes first where it
 * can.
 */
export const WRONG_FORMS = (
  file: string | Uint8Array,
): readonly (readonly [what: string, body: Buffer, reason: string])[] => [
  ['without a part', form(), 'the form has no file'],
  ['without a chosen file', form(filePart('', '')), 'the form has no file'],
  ['with two files', form(filePart(file), filePart(file)), 'the form has more than one part'],
  [
    'with a field after the file',
    form(filePart(file), part('en', { name: 'language' })),
    'the form has more than one part',
  ],
  [
    'with a field before the file',
    form(part('en', { name: 'language' }), filePart(file)),
    'the form has a field "language"',
  ],
  ['with the content as a field', form(part(file)), 'the form has a field "file"'],
  ['that ends before its closing boundary', filePart(file), 'the form ends before its closing boundary'],
  ['that ends within the file', filePart(file).subarray(0, -20), 'the form ends before its closing boundary'],
  [
    'that ends within the headers of its part',
    filePart(file).subarray(0, 60),
    'the form ends before its closing boundary',
  ],
  ['that is empty', Buffer.alloc(0), NO_BOUNDARY],
  [
    'with another boundary than its header says',
    Buffer.from(form(filePart(file)).toString('latin1').replaceAll(BOUNDARY, 'other'), 'latin1'),
    NO_BOUNDARY,
  ],
  [
    'with a part that says nothing about itself',
    form(Buffer.from(`--${BOUNDARY}\r\n\r\nHello\r\n`)),
    'the form has a part whose Content-Disposition is not form-data',
  ],
  [
    'with a file in Base64',
    form(filePart('SGVsbG8=', 'otter.txt', 'Content-Transfer-Encoding: base64')),
    'the form has a file in the encoding base64',
  ],
];
