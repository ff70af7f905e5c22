/** Locations of programs and libraries, plus language and time zone. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SYSTEMROOT', 'LANG', 'TZ'];

/** The environment for a process that handles untrusted uploads: no settings, no secrets. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
