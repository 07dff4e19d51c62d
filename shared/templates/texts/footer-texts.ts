import type { Language } from '../language.ts';

interface FooterTexts {
  readonly help: string;
  readonly terms: string;
  readonly privacy: string;
  /** The choice of a language. */
  readonly language: string;
}

/** At the foot of pages. */
export const footerTexts: Readonly<Record<Language, FooterTexts>> = {
  en: { help: 'Help', terms: 'Terms', privacy: 'Privacy', language: 'Language' },
  es: { help: 'Ayuda', terms: 'Condiciones', privacy: 'Privacidad', language: 'Idioma' },
  fr: { help: 'Aide', terms: 'Conditions', privacy: 'Confidentialité', language: 'Langue' },
  de: { help: 'Hilfe', terms: 'Nutzungsbedingungen', privacy: 'Datenschutz', language: 'Sprache' },
  ja: { help: 'ヘルプ', terms: '利用規約', privacy: 'プライバシー', language: '言語' },
  ar: { help: 'المساعدة', terms: 'الشروط', privacy: 'الخصوصية', language: 'اللغة' },
};
