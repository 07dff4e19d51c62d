import { type Channel, isBesideLink, isChannel } from '../../records/channels.ts';
import type { ProviderName } from '../../records/providers.ts';

/** The login methods of a page: the values of the buttons named `method`. */
export type LoginMethod = Channel | ProviderName;

/** Where an application has codes and links by mail, the mail with the code has the link too. */
export function shownMethods<Method extends LoginMethod>(methods: readonly Method[]): readonly Method[] {
  const hasLinkBeside = methods.some((method) => isChannel(method) && isBesideLink(method));
  return methods.filter((method) => method !== 'link' || !hasLinkBeside);
}
