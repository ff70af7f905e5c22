import { writeFile } from 'node:fs/promises';

/** Special tokens of the model after those of the vocabulary; they stand for nothing that is said. */
const SPECIAL_TOKENS = 768;
/** How a blank and a single byte are written in the vocabulary. */
const BLANK = /\u2581/g;
const BYTE = /^<0x([0-9A-F]{2})>$/;

/** Writes the vocabulary of Llama, which the built-in model uses, as sherpa-onnx reads it: `<base64> <id>`. */
export async function writeLlamaTokens(path: string): Promise<void> {
  const { default: tokenizer } = (await import('llama-tokenizer-js')) as unknown as {
    default: { readonly vocabById: readonly string[] };
  };
  const special = Array.from({ length: SPECIAL_TOKENS }, () => Buffer.from(' '));
  const lines = [...tokenizer.vocabById.map(bytesOf), ...special].map(
    (bytes, id) => `${bytes.toString('base64')} ${id}\n`,
  );
  await writeFile(path, lines.join(''), { mode: 0o600 });
}

function bytesOf(token: string): Buffer {
  const byte = BYTE.exec(token)?.[1];
  return byte === undefined ? Buffer.from(token.replace(BLANK, ' ')) : Buffer.from(byte, 'hex');
}
