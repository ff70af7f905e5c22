import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { filesOf, SpeechDirectoryError } from './speech-model.js';

/** The two models of sherpa-onnx that tell voices apart, as paths. */
export interface DiarizationModel {
  /** Hears where somebody else begins to speak. */
  readonly segmentation: string;
  /** Computes what is characteristic of a voice. */
  readonly embedding: string;
}

/** Names in the archive of a segmentation model. The quantized one is second, as both are small. */
const SEGMENTATION_FILES = ['model.onnx', 'model.int8.onnx'];

/**
 * Finds the models in a directory: a folder with `model.onnx`, as an archive of sherpa-onnx unpacks, is the segmentation
 * model, and a file `*.onnx` beside it the embedding model. Throws `SpeechDirectoryError` unless there is one of each.
 */
export function diarizationModel(directory: string): DiarizationModel {
  const root = resolve(directory);
  const names = filesOf(root).toSorted();
  const segmentation = names.flatMap((name) => {
    const file = SEGMENTATION_FILES.find((model) => existsSync(join(root, name, model)));
    return file === undefined ? [] : [join(name, file)];
  });
  const embedding = names.filter((name) => name.endsWith('.onnx'));
  const [[segmentationFile, ...others], [embeddingFile, ...more]] = [segmentation, embedding];
  if (segmentationFile === undefined || embeddingFile === undefined || others.length + more.length > 0) {
    throw new SpeechDirectoryError(
      `must have one segmentation model (a folder with model.onnx or model.int8.onnx; found: ${listed(segmentation)}) and one speaker embedding model (a file *.onnx; found: ${listed(embedding)})`,
    );
  }
  return { segmentation: join(root, segmentationFile), embedding: join(root, embeddingFile) };
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none';
