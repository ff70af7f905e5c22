import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskUsage } from '../../../lib/disk-usage.js';
import { unzip, UnzipError } from '../../../lib/unzip.js';
import { describe } from '../../../modules/workspace/import-run.js';
import { WorkspaceImportService } from '../../../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../../modules/workspace/workspace-reader.service.js';
import { usageError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { withService } from '../host.js';

/** Imports a workspace file, or an export, which is unpacked for that. */
export async function importWorkspace(file: string, output: Output): Promise<void> {
  // Otherwise a mistyped file would leave a new database.
  if (!existsSync(file)) throw usageError(`${file}: no such file`);
  if (!/\.zip$/i.test(file)) return importFrom(file, output);
  const folder = await mkdtemp(join(tmpdir(), 'mrs-import-'));
  try {
    const { free = Infinity } = (await diskUsage(folder)) ?? {};
    await unzip(file, folder, free);
    await importFrom(join(folder, 'workspace.json'), output);
  } catch (error) {
    throw error instanceof UnzipError ? usageError(`${file}: cannot be unpacked: ${error.message}`) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const importFrom = (file: string, output: Output): Promise<void> =>
  withService(
    async (service) => {
      const workspace = await service.get(WorkspaceReaderService).read(file);
      const report = await service.get(WorkspaceImportService).import(workspace);
      print(output, report, describe(report));
    },
    { creates: true },
  );
