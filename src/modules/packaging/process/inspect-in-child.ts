import type { PackageRequest } from '../packager.js';
import type { SourceFile } from '../source-file.js';
import { runChild } from './packager-child.js';
import { fromSent } from './packager-messages.js';

/** Does the same as `inspectSource`, in a child process. Nothing is written into the folder. */
export async function inspectInChild(request: PackageRequest, signal: AbortSignal): Promise<SourceFile> {
  const { file } = await runChild({ ...request, task: 'inspect' }, { signal, onProgress: () => undefined });
  return fromSent(file);
}
