import { readFileSync } from 'node:fs';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** A service of `docker-compose.yml`, as far as the tests look at it. */
export interface ComposeService {
  readonly image?: string;
  readonly user?: string;
  readonly scale?: number | string;
  readonly profiles?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly privileged?: boolean;
  readonly network_mode?: string;
  readonly tmpfs?: readonly string[];
  readonly mem_limit?: string;
  readonly pids_limit?: number;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** Without `variables`, as it is written. */
export function readCompose(variables?: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync('docker-compose.yml', 'utf8');
  return load(variables ? interpolate(text, variables) : text, {
    schema: CORE_SCHEMA.withTags(mergeTag),
  }) as ComposeFile;
}

/** `${NAME}`, `${NAME:-default}` and `${NAME:+if set}`, the innermost first, as Compose does; not in comments. */
function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  const one = /(?<!\$)\$\{(\w+)(?::([-+])([^${}]*))?\}/g;
  for (let [from, to] = ['', text]; ; [from, to] = [to, to.replace(one, valueOf)]) if (from === to) return to;

  function valueOf(_all: string, name: string, operator = '', more = ''): string {
    const value = variables[name] ?? '';
    if (operator === '+') return value && more;
    return operator === '-' ? value || more : value;
  }
}
