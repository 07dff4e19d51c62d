import { invalidInput } from '../../errors/service-error.ts';
import type { Resource, ResourceRecord, ResourceScope } from '../../ports/directory.ts';
import type { CreateInput } from '../../records/field.ts';
import { createRecord, toRecordView } from '../../records/record.ts';
import { resourceFields, scopeFields } from '../../records/resource.ts';
import { URI_MAX } from '../basis/limits.ts';
import { isServiceScope } from '../claims/scope-claims.ts';
import { tokenLifetimes } from './lifetimes.ts';

export const toResourceRecord = (resource: Resource): ResourceRecord =>
  toRecordView(resourceFields, resource);

/** Pattern of a resource URI: absolute, without fragment (RFC 8707 §2). Audiences are compared exactly as they are written. */
const ABSOLUTE_URI = /^[a-z][a-z0-9+.-]*:[\x21\x22\x24-\x7e]+$/i;

function readUri(uri: string): string {
  if (uri.length > URI_MAX || !ABSOLUTE_URI.test(uri) || !URL.canParse(uri))
    throw invalidInput(`uri: must be an absolute URI without fragment, at most ${URI_MAX} characters`);
  return uri;
}

/** Validates the scopes of a resource. No scope may have the name of a service scope, which would release claims of users. */
function readScopes(given: readonly CreateInput<typeof scopeFields>[]): readonly ResourceScope[] {
  const names = given.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) throw invalidInput(`scopes.${index}.name: must be unique`);
    if (isServiceScope(name)) throw invalidInput(`scopes.${index}.name: is a scope of the service`);
  }
  return given.map((scope) => createRecord(scopeFields, {}, scope));
}

/** Validators of the fields of a resource. Errors: `system_invalid_input`. */
export const resourceReaders = { uri: readUri, scopes: readScopes, ...tokenLifetimes };
