import type { Language } from '../language.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import type { LoginTexts } from './login-texts.ts';

export const loginTexts: Readonly<Record<Language, LoginTexts>> = { en, es, fr, de, ja, ar };
