import { existsSync } from 'node:fs';
import { describe } from '../../../modules/workspace/import-run.js';
import { WorkspaceImportService } from '../../../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../../modules/workspace/workspace-reader.service.js';
import { usageError } from '../exit-status.js';
import { print, type Output } from '../output.js';
import { withService } from '../host.js';

export async function importWorkspace(file: string, output: Output): Promise<void> {
  // Otherwise a mistyped file would leave a new database.
  if (!existsSync(file)) throw usageError(`${file}: no such file`);
  await withService(
    async (service) => {
      const workspace = await service.get(WorkspaceReaderService).read(file);
      const report = await service.get(WorkspaceImportService).import(workspace);
      print(output, report, describe(report));
    },
    { creates: true },
  );
}
