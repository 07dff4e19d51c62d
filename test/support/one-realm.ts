import { types } from 'node:util';

/**
 * jest runs tests in a realm of their own, where errors of Node itself are no `instanceof Error`. The SDK wraps what is no
 * Error and loses its name and code, so that a dropped connection would look different in tests than in the cloud. Here
 * `Error` recognises every native error; its subclasses stay as they are.
 */
Object.defineProperty(Error, Symbol.hasInstance, {
  configurable: true,
  value(this: unknown, value: unknown): boolean {
    if (this === Error && types.isNativeError(value)) return true;
    return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
  },
});
