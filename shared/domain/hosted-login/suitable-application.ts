import type { Application } from '../../ports/directory.ts';
import type { FactorType } from '../../ports/trust.ts';
import type { PortsWith } from '../../ports/uses.ts';
import { addressTypes, channels } from '../../records/channels.ts';
import { configuredChannels, configuredProviders } from '../credentials/login-preferences.ts';
import { type AccountCredentials, ANY_APPLICATION, findAccountFactorTypes } from '../trust/factor-types.ts';

function offeredFactorTypes(application: Application): ReadonlySet<FactorType> {
  const offers = new Set<FactorType>(
    configuredChannels(application).map((channel) => addressTypes[channels[channel].address].factorType),
  );
  if (application.loginPreferences?.passkey) offers.add('passkey');
  if (configuredProviders(application).length > 0) offers.add('social');
  return offers;
}

/**
 * Finds an application where the user can log in with the factors that adding a credential requires. Returns undefined if the
 * current application suffices. Returns a result without a name if no application that the user has used is suitable.
 */
export async function findSuitableApplication(
  ports: PortsWith<'applications'>,
  {
    application,
    at,
    ...account
  }: AccountCredentials & { readonly application: Application; readonly at: number },
): Promise<{ readonly name: string | undefined } | undefined> {
  const required = [...findAccountFactorTypes(account, ANY_APPLICATION, at).required];
  const isEnough = (application: Application) => {
    const offers = offeredFactorTypes(application);
    return required.filter((kind) => offers.has(kind)).length >= Math.min(2, required.length);
  };
  if (isEnough(application)) return undefined;
  const used = await Promise.all(account.user.applications.map((id) => ports.applications.find(id)));
  return { name: used.find((application) => application !== undefined && isEnough(application))?.name };
}
