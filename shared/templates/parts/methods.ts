import { type Channel, canContainLink, isChannel } from '../../records/channels.ts';
import type { ProviderName } from '../../records/providers.ts';

/** Login method on a page, and value of the form field `method`. */
export type LoginMethod = Channel | ProviderName;

/** Removes the method `link` if the page offers codes by email, because an email with a code also contains a link. */
export function shownMethods<Method extends LoginMethod>(methods: readonly Method[]): readonly Method[] {
  const hasLinkBeside = methods.some((method) => isChannel(method) && canContainLink(method));
  return methods.filter((method) => method !== 'link' || !hasLinkBeside);
}
