import { Packager, type MediaPackage, type PackageOptions, type PackageRequest } from '../packager.js';
import { runChild, type ChildLimits } from '../process/packager-child.js';
import { fromSent } from '../process/packager-messages.js';

/**
 * Works with mediabunny and the codecs of FFmpeg as a library, in a child process per package: media that crashes a
 * native decoder, or leaks, hurts that child alone. Nothing has to be installed.
 */
export class MediabunnyPackager extends Packager {
  constructor(private readonly limits?: ChildLimits) {
    super();
  }

  override async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    const result = await runChild({ ...request, task: 'package' }, options, this.limits);
    if (result.kind !== 'packaged') throw new Error('the packager answered another question');
    return fromSent(result.made);
  }
}
