import type { ImportReport } from '../../modules/workspace/import-report.js';
import { WorkspaceImportService } from '../../modules/workspace/workspace-import.service.js';
import { WorkspaceReaderService } from '../../modules/workspace/workspace-reader.service.js';
import { print, type Output } from './output.js';
import { withService } from './service.js';

export async function importWorkspace(file: string, options: Output): Promise<void> {
  await withService(async (service) => {
    const workspace = await service.get(WorkspaceReaderService).read(file);
    const report = await service.get(WorkspaceImportService).import(workspace);
    print(options, report, summary(report));
  });
}

function summary(report: ImportReport): string {
  return Object.entries(report)
    .map(([what, { created, existing }]) => `${what}: ${created} created, ${existing} already present`)
    .join('\n');
}
