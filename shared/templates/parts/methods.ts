import type { ProviderName } from '../../records/providers.ts';

/** The login methods of a page: the values of the buttons named `method`. */
export type MessageMethod = 'email' | 'sms' | 'link';
export type LoginMethod = MessageMethod | ProviderName;

export function isMessageMethod(method: LoginMethod): method is MessageMethod {
  return method === 'email' || method === 'sms' || method === 'link';
}

/** Where an application has codes and links by mail, the mail with the code has the link too. */
export function shownMethods<Method extends LoginMethod>(methods: readonly Method[]): readonly Method[] {
  return methods.filter((method) => method !== 'link' || !methods.some((other) => other === 'email'));
}
