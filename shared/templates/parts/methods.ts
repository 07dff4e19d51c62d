import { type Channel, canContainLink, isChannel } from '../../records/channels.ts';
import type { ProviderName } from '../../records/providers.ts';

/** Login methods of a page; also the values of the form field `method`. */
export type LoginMethod = Channel | ProviderName;

/** Removes the method `link` if codes by email are also offered, because the email with the code also contains a link. */
export function shownMethods<Method extends LoginMethod>(methods: readonly Method[]): readonly Method[] {
  const hasLinkBeside = methods.some((method) => isChannel(method) && canContainLink(method));
  return methods.filter((method) => method !== 'link' || !hasLinkBeside);
}
