import * as v from 'valibot';
import { AwsError, parse } from './basis/aws-error.ts';
import { KeptFile } from './basis/kept-file.ts';
import { LOCAL_REGION } from './basis/services.ts';

const Stored = v.record(v.string(), v.string());
const Named = v.object({ SecretId: v.string() });
const Put = v.object({ SecretId: v.string(), SecretString: v.string() });
const Create = v.object({ Name: v.string(), SecretString: v.string() });

/** The part of AWS Secrets Manager that the service uses. */
export class Secrets {
  readonly #values: Map<string, string>;
  readonly #file: KeptFile;

  private constructor(file: KeptFile, values: Map<string, string>) {
    this.#file = file;
    this.#values = values;
  }

  /** `path`: where they are kept; absent: in memory. */
  static async open(path: string | undefined): Promise<Secrets> {
    const file = new KeptFile(path);
    return new Secrets(file, new Map(Object.entries(await file.read(Stored, {}))));
  }

  /** @param action the name of the operation; @param input its JSON body. Throws AwsError. */
  async answer(action: string, input: unknown): Promise<object> {
    switch (action) {
      case 'GetSecretValue': {
        const name = this.#find(parse(Named, input).SecretId);
        return { ...described(name), SecretString: this.#values.get(name) };
      }
      case 'PutSecretValue': {
        const { SecretId, SecretString } = parse(Put, input);
        return this.#write(this.#find(SecretId), SecretString);
      }
      case 'CreateSecret': {
        const { Name, SecretString } = parse(Create, input);
        if (this.#values.has(Name)) throw new AwsError('ResourceExistsException', `${Name} exists`);
        return this.#write(Name, SecretString);
      }
      case 'DeleteSecret': {
        const name = this.#find(parse(Named, input).SecretId);
        this.#values.delete(name);
        await this.#save();
        return described(name);
      }
      default:
        throw new AwsError('UnknownOperationException', `Secrets Manager has no ${action} here`);
    }
  }

  async clear(): Promise<void> {
    this.#values.clear();
    await this.#save();
  }

  async #write(name: string, value: string): Promise<object> {
    this.#values.set(name, value);
    await this.#save();
    return described(name);
  }

  #find(name: string): string {
    if (!this.#values.has(name))
      throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
    return name;
  }

  #save(): Promise<void> {
    return this.#file.write(Object.fromEntries(this.#values));
  }
}

function described(name: string): { readonly ARN: string; readonly Name: string } {
  return { ARN: `arn:aws:secretsmanager:${LOCAL_REGION}:000000000000:secret:${name}-local1`, Name: name };
}
