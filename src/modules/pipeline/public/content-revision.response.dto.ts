import {
  BooleanProperty,
  IdProperty,
  IntegerProperty,
  NestedProperty,
  TextProperty,
  TimestampProperty,
} from '../../../platform/openapi/field.decorator.js';
import { present } from '../../../contract/present.js';

export class RevisionAuthor {
  @IdProperty('Identifier of the user')
  id: string;

  @TextProperty('Name', { example: 'Ada Lovelace' })
  name: string;
}

/** What the revisions of a transcript and of a summary have in common. */
export class ContentRevisionItem {
  @IntegerProperty(
    'Number of the revision. Numbers increase, with gaps: changes of the status count too, but cannot be restored',
    { example: 4 },
  )
  revision: number;

  @TimestampProperty('When it was written')
  createdAt: string;

  @NestedProperty(
    () => RevisionAuthor,
    'Who wrote it; null if the service did, and if the user has been deleted',
    { nullable: true },
  )
  createdBy: RevisionAuthor | null;

  @BooleanProperty('Whether this is the current content', { example: true })
  current: boolean;
}

interface ContentRevision {
  readonly creator?: RevisionAuthor | null;
}

/** What revisions of both are presented from. */
export const revisionFields = <Revision extends ContentRevision>(revision: Revision, current: boolean) => ({
  ...revision,
  createdBy: revision.creator ? present(RevisionAuthor, revision.creator) : null,
  current,
});
