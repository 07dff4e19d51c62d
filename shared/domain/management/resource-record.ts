import { invalidInput } from '../../errors/service-error.ts';
import type { Resource, ResourceRecord } from '../../ports/directory.ts';
import { shownRecord } from '../../records/record.ts';
import { resourceFields } from '../../records/resource.ts';
import { URI_MAX } from '../basis/limits.ts';
import { tokenLifetimes } from './lifetimes.ts';

export const resourceRecord = (resource: Resource): ResourceRecord => shownRecord(resourceFields, resource);

/** RFC 8707 §2: absolute, without fragment. Kept as written, for audiences are compared character by character. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/i;

function readUri(uri: string): string {
  if (uri.length > URI_MAX || !ABSOLUTE_URI.test(uri) || !URL.canParse(uri))
    throw invalidInput(`uri: must be an absolute URI without fragment, at most ${URI_MAX} characters`);
  return uri;
}

/** The rules of single fields. Errors: `system_invalid_input`. */
export const resourceReaders = { uri: readUri, ...tokenLifetimes };
