import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The `ffmpeg` and `ffprobe` on the `PATH`; null if there are none. */
export function findFfmpeg() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const folder = folders.find((path) =>
    ['ffmpeg', 'ffprobe'].every((name) => isExecutable(join(path, name))),
  );
  if (folder === undefined) return null;
  const path = join(folder, 'ffmpeg');
  const [, version] =
    /^ffmpeg version (\S+)/.exec(execFileSync(path, ['-version'], { encoding: 'utf8' })) ?? [];
  return { path, version: version ?? 'unknown' };
}

/** Runs it to the end; throws with its messages when it fails. */
export function runFfmpeg(path, args) {
  execFileSync(path, ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
