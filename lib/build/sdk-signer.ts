import { createSigner } from '../../shared/sdk/signer.ts';

type Signer = ReturnType<typeof createSigner>;
type Credentials = Parameters<typeof createSigner>[2];

/** Replaces the SDK's signer, for the few clients that are not lean: all functions have this one already. */
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
