import { describe } from '../../modules/workspace/import-report.js';
import { WorkspaceImportService } from '../../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../modules/workspace/workspace-reader.service.js';
import { print, type Output } from './output.js';
import { withService } from './service.js';

export async function importWorkspace(
  file: string,
  { update = false, ...output }: Output & { readonly update?: boolean },
): Promise<void> {
  await withService(async (service) => {
    const workspace = await service.get(WorkspaceReaderService).read(file);
    const report = await service.get(WorkspaceImportService).import(workspace, { update });
    print(output, report, describe(report));
  });
}
