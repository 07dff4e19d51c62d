import { type Environment, prefixOf } from '../environments.ts';
import { signingKeyPolicy } from '../key-policies.ts';
import { signerRoles } from '../role-paths.ts';
import { type KeyMaker, keyMaker } from './key-maker.ts';
import { envelopeAlias, signingTags } from './modes.ts';

/** Keys of an environment in AWS, with the policy and the tags of the key that the deployment has made. */
export function keyMakerOf(environment: Environment, account: string): KeyMaker {
  return keyMaker({
    modes: environment.signingModes,
    envelopeKeyId: envelopeAlias(prefixOf(environment)),
    tags: signingTags(environment.name),
    policy: JSON.stringify(signingKeyPolicy(signerRoles(environment, account)).toJSON()),
  });
}
