import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = 'src/modules';

/** The service files of a module, as text for a message; `root` is the folder of the project. */
export function servicesOf(root, module) {
  const folder = join(root, MODULES, module);
  const found = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  const files = found.map((file) => file.replaceAll('\\', '/'));
  const services = files.filter((file) => file.endsWith('.service.ts')).toSorted();
  if (services.length === 0) return `a service of ${MODULES}/${module} (there is none yet)`;
  return services.map((file) => `${MODULES}/${module}/${file}`).join(' or ');
}
