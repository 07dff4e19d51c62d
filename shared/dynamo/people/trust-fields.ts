import type { Trust } from '../../ports/trust.ts';
import { codec, number, oneOf, text } from '../codec.ts';

/** Of each credential, in attributes of its own. */
export const trustFields = {
  standing: oneOf('standing', ['claimed', 'verified', 'proven', 'vouched']),
  scope: text('scope'),
  generation: number('generation'),
  since: number('since'),
};

export const trustAttributes = codec<Trust>(trustFields).toAttributes;
