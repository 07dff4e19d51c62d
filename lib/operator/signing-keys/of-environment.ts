import { envelopeAlias, signingTags } from '../../../shared/aws/signing-keys/modes.ts';
import { signingKeyPolicy } from '../../stacks/data/key-policies.ts';
import { rolesWith } from '../../stacks/data/role-paths.ts';
import { type Environment, toNamePrefix, toQualifier } from '../../stacks/environments/environment.ts';
import { type KeyMaker, keyMaker } from './key-maker.ts';

/**
 * Returns the object that creates and disables signing keys in the KMS of an environment. New keys get the policy and tags of
 * the first signing key.
 */
export function openKeyMaker(environment: Environment, account: string): KeyMaker {
  const deployer = { account, qualifier: toQualifier(environment) };
  return keyMaker({
    modes: environment.signingModes,
    envelopeKeyId: envelopeAlias(toNamePrefix(environment)),
    tags: signingTags(environment.name),
    createPolicy: (alg) =>
      JSON.stringify(signingKeyPolicy(deployer, rolesWith('signer', environment, account), alg).toJSON()),
  });
}
