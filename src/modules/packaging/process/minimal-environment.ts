/** Where programs, their libraries and temporary files are, and what language they speak. */
const NEEDED = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'TMPDIR',
  'TMP',
  'TEMP',
  'SYSTEMROOT',
  'LANG',
  'TZ',
];

/** The environment for a process that handles what strangers have uploaded: no settings, no secrets. */
export function minimalEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(NEEDED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
