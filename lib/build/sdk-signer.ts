import { createSigner } from '../../shared/sdk/signer.ts';

type Signer = ReturnType<typeof createSigner>;
type Credentials = Parameters<typeof createSigner>[2];

/**
 * Replacement for the AWS SDK's signer in the few full SDK clients. All functions already contain our signer, so it adds no
 * size.
 */
class OwnSigner {
  readonly sign: Signer['sign'];

  constructor(settings: {
    readonly service: string;
    readonly region: string;
    readonly credentials: Credentials;
  }) {
    const { service, region, credentials } = settings;
    this.sign = createSigner(service, async () => region, credentials).sign;
  }
}

export { OwnSigner as SignatureV4 };
