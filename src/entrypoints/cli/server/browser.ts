import { spawn } from 'node:child_process';

/** Without a browser, or one that starts, the address that was printed has to do. */
export function openInBrowser(url: string): void {
  const [program, ...args] = browser();
  if (program === undefined) return;
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** The program that opens addresses, with its arguments; none on a Linux without a desktop. */
function browser(): readonly string[] {
  const { BROWSER, DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (BROWSER) return [BROWSER];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
