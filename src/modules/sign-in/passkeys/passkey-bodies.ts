import { invalid } from '../../../contract/domain-error.js';
import { LIMITS } from '../../../contract/limits.js';
import { asLine, isLine } from '../../../lib/text.js';
import { z } from '../../../lib/zod.js';

const { min, max } = LIMITS.passkeyName;
const text = z.string();

/** What browsers make of a credential (`PublicKeyCredential.toJSON`); what its parts say is checked by verifying it. */
const credential = <Parts extends z.ZodRawShape>(parts: Parts) =>
  z.object({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    clientExtensionResults: z.object({}),
    response: z.object({ clientDataJSON: text, ...parts }),
  });

const ATTEMPT = z.object({
  credential: credential({ authenticatorData: text, signature: text, userHandle: text }),
  /** Where to go then: a path of this service. */
  to: text.optional(),
});

const ADDITION = z.object({
  credential: credential({ attestationObject: text, transports: z.array(text.max(40)).max(10) }),
  name: text
    .transform(asLine)
    .refine((name) => isLine(name, { min, max }), { error: `must have ${min} to ${max} characters` }),
});

export type PasskeyAttempt = z.output<typeof ATTEMPT>;
export type PasskeyAddition = z.output<typeof ADDITION>;

/** 400 `VALIDATION_ERROR` for anything else, here and below. */
export const readAttempt = (body: unknown): PasskeyAttempt => read(ATTEMPT, body);
export const readAddition = (body: unknown): PasskeyAddition => read(ADDITION, body);

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(`${issue?.path.join('.') || 'body'}: ${issue?.message}`);
}
