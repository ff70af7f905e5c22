import type { Environment, Program, Sandbox } from './process.js';

/**
 * Runs its arguments after the first in a terminal, and types the first once it is asked; what they write goes to
 * standard output.
 */
const IN_TERMINAL = `
import os, pty, signal, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[2], sys.argv[2:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(pid, signal.SIGTERM))
seen = b''
try:
    while True:
        read = os.read(terminal, 65536)
        os.write(1, read.replace(b'\\r\\n', b'\\n'))
        seen += read
        if (b'[y/N] ' in seen or b'API key of' in seen) and len(sys.argv[1]) > 0:
            os.write(terminal, sys.argv[1].encode().decode('unicode_escape').encode())
            sys.argv[1] = ''
except OSError: pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** Runs a script of Node. `answer`: with the escapes of Python. */
export const inTerminal = (
  sandbox: Sandbox,
  script: readonly string[],
  settings: Environment,
  answer = '',
): Promise<Program> =>
  sandbox.run(['-c', IN_TERMINAL, answer, process.execPath, ...script], settings, 'python3');
