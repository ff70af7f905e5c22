import { Packager, type MediaPackage, type PackageOptions, type PackageRequest } from '../packager.js';
import { runChild, type ChildLimits } from '../process/packager-child.js';
import { fromSent } from '../process/packager-messages.js';

/**
 * Uses FFmpeg as a library, in one child process per package: media that crashes a native decoder, or makes it leak, harms
 * only that child. Nothing has to be installed.
 */
export class LibavPackager extends Packager {
  constructor(private readonly limits?: ChildLimits) {
    super();
  }

  override async package(request: PackageRequest, options: PackageOptions): Promise<MediaPackage> {
    const { made } = await runChild({ ...request, task: 'package' }, options, this.limits);
    return fromSent(made);
  }
}
