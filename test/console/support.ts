import { readDocument } from '../../functions/console/engine/document.ts';
import type { ScreenData } from '../../functions/console/engine/render.ts';
import { screens } from '../../functions/console/engine/screens.ts';
import { generateServiceDocument } from '../../lib/build/service-document.ts';
import { T } from '../support/server/records.ts';

/** Returns the service's API document in the form that the console reads. */
export const consoleDocument = async () => readDocument(await generateServiceDocument());

/** Returns the data of a console screen whose API calls get the given responses. */
export async function createScreenData(path: string, change: Partial<ScreenData>): Promise<ScreenData> {
  const screen = screens.find((each) => each.path === path);
  if (!screen) throw new Error(`there is no screen ${path}`);
  return {
    ...{ document: await consoleDocument(), role: 'admin', tenantId: 'tenant', screen, parameters: {} },
    ...{ query: {}, answers: new Map(), baseUrl: 'https://id.example.com/cis', now: T },
    ...change,
  };
}

/** Returns a result in the form in which the console keeps a successful API response. */
export const answered = (result: unknown) => ({ ok: true, json: { result } }) as const;
