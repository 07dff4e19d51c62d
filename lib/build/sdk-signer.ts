import { createSigner } from '../../shared/sdk/signer.ts';

type Signer = ReturnType<typeof createSigner>;
type Credentials = Parameters<typeof createSigner>[2];

/**
 * Replacement for the request signer of the AWS SDK, for the few SDK clients that are used unchanged. The replacement adds no
 * size, because all functions already contain our signer.
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
