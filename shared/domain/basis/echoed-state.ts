import { invalidInput } from '../../errors/service-error.ts';
import { STATE_MAX_BYTES } from './limits.ts';

/**
 * Limits an echoed state: percent-encoding in `Location` triples its bytes, and gateways drop answers with more than 10 KB of
 * headers. Errors: `system_invalid_input`.
 */
export function checkState(state: string | undefined): void {
  const escaped = new URLSearchParams({ state: state ?? '' }).toString().length - 'state='.length;
  if (escaped > STATE_MAX_BYTES)
    throw invalidInput(`state: must have at most ${STATE_MAX_BYTES} bytes as an address spells it`);
}
