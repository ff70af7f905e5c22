import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { diarizationModel } from '../../../src/lib/speech/speech-model.js';
import { SpeechDirectoryError } from '../../../src/lib/speech/speech-model.js';

const SEGMENTATION = 'sherpa-onnx-pyannote-segmentation-3-0';
const EMBEDDING = 'nemo_en_titanet_small.onnx';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mrs-diarization-model-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A new directory with these empty files. */
async function directory(...files: string[]): Promise<string> {
  const path = await mkdtemp(join(folder, 'models-'));
  for (const file of files) {
    await mkdir(dirname(join(path, file)), { recursive: true });
    await writeFile(join(path, file), '');
  }
  return path;
}

describe('a directory of SPEECH_DIARIZATION_DIR', () => {
  it('has an unpacked segmentation model, and the file of an embedding model', async () => {
    const path = await directory(
      `${SEGMENTATION}/LICENSE`,
      `${SEGMENTATION}/model.int8.onnx`,
      `${SEGMENTATION}/model.onnx`,
      EMBEDDING,
      'README.md',
    );
    expect(diarizationModel(path)).toEqual({
      segmentation: join(path, SEGMENTATION, 'model.onnx'),
      embedding: join(path, EMBEDDING),
    });
  });

  it('may have the quantized segmentation model alone', async () => {
    const path = await directory(`${SEGMENTATION}/model.int8.onnx`, EMBEDDING);
    expect(diarizationModel(path).segmentation).toBe(join(path, SEGMENTATION, 'model.int8.onnx'));
  });

  it.each([
    ['nothing', [], 'none', 'none'],
    ['no segmentation model', ['other/README.md', EMBEDDING], 'none', EMBEDDING],
    ['no embedding model', [`${SEGMENTATION}/model.onnx`], `${SEGMENTATION}/model.onnx`, 'none'],
    [
      'two of each',
      ['a/model.onnx', 'b/model.int8.onnx', 'one.onnx', 'two.onnx'],
      'a/model.onnx, b/model.int8.onnx',
      'one.onnx, two.onnx',
    ],
  ])(
    'is refused, saying what is there and what is not, when it has %s',
    async (_, files, segmentation, embedding) => {
      const path = await directory(...files);
      expect(() => diarizationModel(path)).toThrow(
        new SpeechDirectoryError(
          `must have one segmentation model (a folder with model.onnx or model.int8.onnx; found: ${segmentation}) and one speaker embedding model (a file *.onnx; found: ${embedding})`,
        ),
      );
    },
  );

  it('is refused when it cannot be read', () => {
    expect(() => diarizationModel(join(folder, 'missing'))).toThrow(/^cannot be read: ENOENT/);
  });
});
