import { ChoiceField } from '../../../platform/http/fields.js';
import { SHARE_PERMISSIONS, type SharePermission } from '../entities/share-link.entity.js';

export class CreateShareLinkDto {
  @ChoiceField({
    values: SHARE_PERMISSIONS,
    name: 'SharePermission',
    optional: true,
    default: 'view',
    description:
      '`view`: recipients can watch the video and read transcript and summary; `download`: they can also download the video file',
    example: 'view',
  })
  permission: SharePermission = 'view';
}
