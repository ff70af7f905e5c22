import { promisify } from 'node:util';
import { Parser } from 'htmlparser2';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { TranscriptFileError, UnsupportedTranscriptError } from '../transcript-file.error.js';
import { READ_FORMATS } from '../read-formats.js';

const DOCUMENT = 'word/document.xml';
const LIMITS = {
  /** Files in the archive; Word writes about fifteen. */
  entries: 1_000,
  /** Bytes of the document, unzipped. */
  bytes: 64 * 1024 ** 2,
  /** Levels of nesting in the XML. */
  depth: 200,
} as const;
/** Elements that begin a new line. */
const BREAKS: Readonly<Record<string, string>> = { 'w:br': '\n', 'w:cr': '\n', 'w:tab': '\t' };

const open = promisify((bytes: Buffer, done: (error: Error | null, archive: ZipFile) => void) => {
  fromBuffer(bytes, { lazyEntries: true }, done);
});

/**
 * The text of a Word document, a line for each paragraph and line break. Only the main document is unzipped, and its
 * size, nesting and the number of files are limited. Entities that the XML declares are not expanded.
 */
export async function textOfDocx(bytes: Uint8Array): Promise<string> {
  const archive = await opened(bytes);
  const entry = await documentIn(archive);
  if (entry.uncompressedSize > LIMITS.bytes) refuse(`is larger than ${LIMITS.bytes} bytes`);
  const reader = new DocumentText();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    const stream = await promisify(archive.openReadStream.bind(archive) as OpenStream)(entry);
    for await (const chunk of stream) reader.write(decoder.decode(chunk as Uint8Array, { stream: true }));
    reader.write(decoder.decode());
  } catch (error) {
    throw error instanceof TranscriptFileError ? error : broken();
  }
  return reader.end();
}

type OpenStream = (entry: Entry, done: (error: Error | null, stream: AsyncIterable<unknown>) => void) => void;

async function opened(bytes: Uint8Array): Promise<ZipFile> {
  try {
    return await open(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } catch {
    throw new UnsupportedTranscriptError(`a damaged ZIP archive is not read; send ${READ_FORMATS}`);
  }
}

async function documentIn(archive: ZipFile): Promise<Entry> {
  let count = 0;
  return new Promise((resolve, reject) => {
    archive.on('entry', (entry: Entry) => {
      count += 1;
      if (entry.fileName === DOCUMENT) resolve(entry);
      else if (count < LIMITS.entries) archive.readEntry();
      else
        reject(
          new UnsupportedTranscriptError(`a ZIP archive of more than ${LIMITS.entries} files is not read`),
        );
    });
    archive.on('end', () =>
      reject(
        new UnsupportedTranscriptError(
          `a ZIP archive that is no Word document is not read; send ${READ_FORMATS}`,
        ),
      ),
    );
    archive.on('error', () => reject(broken()));
    archive.readEntry();
  });
}

function refuse(reason: string): never {
  throw new TranscriptFileError(DOCUMENT, reason);
}

function broken(): TranscriptFileError {
  return new TranscriptFileError(DOCUMENT, 'cannot be unzipped, or is not text in utf-8');
}

/** Collects the text of the XML of a document. */
class DocumentText {
  private readonly pieces: string[] = [];
  private depth = 0;
  private isText = false;

  private readonly parser = new Parser(
    {
      onopentagname: (name) => {
        this.depth += 1;
        if (this.depth > LIMITS.depth) refuse(`has more than ${LIMITS.depth} levels of nesting`);
        this.isText = name === 'w:t';
        if (name in BREAKS) this.pieces.push(BREAKS[name]!);
      },
      onclosetag: (name) => {
        this.depth -= 1;
        this.isText = false;
        if (name === 'w:p') this.pieces.push('\n');
      },
      ontext: (text) => {
        if (this.isText) this.pieces.push(text);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );

  write(xml: string): void {
    this.parser.write(xml);
  }

  end(): string {
    this.parser.end();
    return this.pieces.join('');
  }
}
