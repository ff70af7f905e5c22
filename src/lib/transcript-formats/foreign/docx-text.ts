import { Parser } from 'htmlparser2';
import { fromBufferPromise, type ZipFile } from 'yauzl';
import { READ_FORMATS } from '../read-formats.js';
import { TranscriptFileError, UnsupportedTranscriptError } from '../transcript-file.error.js';

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

/**
 * The text of a Word document, a line for each paragraph and line break. Only the main document is unzipped, and its
 * size, nesting and the number of files are limited. Entities that the XML declares are not expanded.
 */
export async function textOfDocx(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const archive = await fromBufferPromise(buffer, { autoClose: false }).catch(() => {
    throw new UnsupportedTranscriptError(`a damaged ZIP archive is not read; send ${READ_FORMATS}`);
  });
  try {
    return await textIn(archive);
  } catch (error) {
    if (error instanceof TranscriptFileError) throw error;
    return refuse('cannot be unzipped, or is not text in utf-8');
  }
}

async function textIn(archive: ZipFile): Promise<string> {
  let count = 0;
  for await (const entry of archive.eachEntry()) {
    count += 1;
    if (entry.fileName === DOCUMENT) {
      if (entry.uncompressedSize > LIMITS.bytes) refuse(`is larger than ${LIMITS.bytes} bytes`);
      const reader = new DocumentText();
      const decoder = new TextDecoder('utf-8', { fatal: true });
      const stream: AsyncIterable<Uint8Array> = await archive.openReadStreamPromise(entry);
      for await (const chunk of stream) reader.write(decoder.decode(chunk, { stream: true }));
      reader.write(decoder.decode());
      return reader.end();
    }
    if (count >= LIMITS.entries)
      throw new UnsupportedTranscriptError(`a ZIP archive of more than ${LIMITS.entries} files is not read`);
  }
  throw new UnsupportedTranscriptError(
    `a ZIP archive that is no Word document is not read; send ${READ_FORMATS}`,
  );
}

function refuse(reason: string): never {
  throw new TranscriptFileError(DOCUMENT, reason);
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
