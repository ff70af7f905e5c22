import { readFileSync } from 'node:fs';

/** The code of all blocks of a language in a Markdown file. */
export function codeBlocks(file: string, language: string): string[] {
  const fenced = new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm');
  return [...readFileSync(file, 'utf8').matchAll(fenced)].map(([, code = '']) => code);
}
