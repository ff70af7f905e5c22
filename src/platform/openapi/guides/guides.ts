import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PROJECT_ROOT } from '../../../lib/project-root.js';
import { GUIDE_SEARCH } from '../../http-limits.js';
import { readGuide, type Guide } from './guide.js';

/** The Markdown documents that people read in a browser: those of `docs`, also for operators, and the READMEs of clients and examples. */
export class Guides {
  /** Paths in the project, by the names in URLs. */
  private readonly paths: ReadonlyMap<string, string>;
  private readonly read = new Map<string, Guide>();

  /** `address`: the path of the index, below which all others are. */
  constructor(private readonly address: string) {
    const all: [name: string, path: string][] = [
      ...['docs', 'docs/operations'].flatMap((folder) =>
        namesIn(folder).map((name): [string, string] => [basename(name, '.md'), `${folder}/${name}`]),
      ),
      ...namesIn('clients').map((name): [string, string] => [`${name}-client`, `clients/${name}/README.md`]),
      ['examples', 'examples/README.md'],
    ];
    this.paths = new Map(all.filter(([, path]) => isGuide(path)));
  }

  get names(): string[] {
    return [...this.paths.keys()];
  }

  /** The guide with this name, such as `api-guide`; rendered when it is first asked for. */
  get(name: string): Guide {
    const guide = this.read.get(name) ?? readGuide(this.paths.get(name)!, (path) => this.addressOf(path));
    this.read.set(name, guide);
    return guide;
  }

  /** The sections that contain all words, as parts of words in any case; first those with one in the heading. */
  search(text: string) {
    const words = text.toLowerCase().split(/\s+/);
    const found = this.names.flatMap((name) => {
      const { title, sections } = this.get(name);
      return sections.flatMap((section) => {
        const heading = section.heading.toLowerCase();
        const body = section.text.toLowerCase();
        if (!words.every((word) => `${title.toLowerCase()} ${heading} ${body}`.includes(word))) return [];
        const start = Math.max(0, body.indexOf(words[0]!) - GUIDE_SEARCH.excerpt / 3);
        return {
          guide: title,
          heading: section.heading,
          address: `${this.address}/${name}#${section.id}`,
          excerpt: section.text.slice(start, start + GUIDE_SEARCH.excerpt),
          rank: words.some((word) => heading.includes(word)) ? 0 : 1,
        };
      });
    });
    return found.sort((a, b) => a.rank - b.rank).slice(0, GUIDE_SEARCH.results);
  }

  private addressOf(path: string): string | undefined {
    const name = this.names.find((one) => this.paths.get(one) === path);
    return name && (name === INDEX ? this.address : `${this.address}/${name}`);
  }
}

/** The name of the guide that lists all others. */
export const INDEX = 'README';

const isGuide = (path: string): boolean => path.endsWith('.md') && existsSync(join(PROJECT_ROOT, path));

const namesIn = (folder: string): string[] => readdirSync(join(PROJECT_ROOT, folder));
