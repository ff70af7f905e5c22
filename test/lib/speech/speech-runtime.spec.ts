import { expect, it } from '@jest/globals';
import { missingSpeechRuntime } from '../../../src/lib/speech/speech-runtime.js';

it('recognizes speech on this machine', () => {
  expect(missingSpeechRuntime()).toBeNull();
});

it.each([
  ['sunos', 'sparc', 'sherpa-onnx-sunos-sparc'],
  ['win32', 'mips', 'sherpa-onnx-win-mips'],
])('names the package that %s on %s lacks', (platform, arch, name) => {
  expect(missingSpeechRuntime(platform, arch)).toBe(
    `speech recognition is not available on this platform, as the package ${name} is not installed`,
  );
});
