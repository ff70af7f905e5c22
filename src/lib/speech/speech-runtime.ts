import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../project-root.js';

/** Why speech cannot be recognized on this machine; null if it can. npm installs the native runtime where it can. */
export function missingSpeechRuntime(
  platform: string = process.platform,
  arch: string = process.arch,
): string | null {
  const name = `sherpa-onnx-${platform === 'win32' ? 'win' : platform}-${arch}`;
  if (existsSync(join(PROJECT_ROOT, 'node_modules', name))) return null;
  return `speech recognition is not available on this platform, as the package ${name} is not installed`;
}
