import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { computeContrast, contrastColour, ensureContrast } from '../../../shared/domain/basis/colour.ts';
import { loggedOutPage } from '../../../shared/templates/pages/logged-out-page.ts';
import { noticeLinkDonePage } from '../../../shared/templates/pages/notice-link-page.ts';
import { renderBrandMark, renderTheme } from '../../../shared/templates/parts/brand.ts';
import { renderFooter } from '../../../shared/templates/parts/footer.ts';
import { visibleText } from '../support.ts';
import { pages, words } from './support.ts';

const CARDS = { light: '#ffffff', dark: '#1a1d23' };
const listColours = (theme: string, name: string) =>
  [...theme.matchAll(new RegExp(`--${name}:(#[0-9a-f]{6})`, 'g'))].map(([, colour = '']) => colour);

describe('contrast of brand colours', () => {
  test('a brand colour that has enough contrast is used unchanged', () => {
    expect(ensureContrast('#2557d6', '#ffffff', 4.5)).toBe('#2557d6');
    expect(ensureContrast('#ffd400', CARDS.dark, 4.5)).toBe('#ffd400');
  });

  test('text on any brand colour is readable in light and dark mode', () => {
    const seed = Number(process.env.SEED ?? Date.now());
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (...channels) => {
        const primaryColor = `#${channels.map((c) => c.toString(16).padStart(2, '0')).join('')}`;
        const theme = renderTheme({ name: 'Northwind', primaryColor });
        expect(listColours(theme, 'accent')).toEqual([primaryColor, primaryColor]);
        expect(computeContrast(contrastColour(primaryColor), primaryColor)).toBeGreaterThanOrEqual(4.5);
        for (const [at, card] of [CARDS.light, CARDS.dark].entries()) {
          expect(computeContrast(listColours(theme, 'accent-ink')[at] ?? '', card)).toBeGreaterThanOrEqual(
            4.5,
          );
          expect(computeContrast(listColours(theme, 'accent-edge')[at] ?? '', card)).toBeGreaterThanOrEqual(
            3,
          );
        }
      }),
      {
        seed,
        numRuns: 500,
        examples: [
          [255, 255, 255],
          [0, 0, 0],
          [119, 119, 119],
          [255, 212, 0],
        ],
      },
    );
  });

  test.each([undefined, '', 'red', '#12345', '#1234567', 'url(x)', '#fff}*{'])(
    'the invalid brand colour %j is ignored',
    (colour) => {
      expect(renderTheme({ name: 'Northwind', primaryColor: colour })).toBe('');
    },
  );

  test('a brand colour may have three hexadecimal digits', () => {
    expect(renderTheme({ name: 'Northwind', primaryColor: '#FD0' })).toContain('--accent:#ffdd00;');
  });
});

describe('brand marks on pages', () => {
  test('a brand mark shows the first character of the brand name', () => {
    expect(renderBrandMark({ name: 'étoile', primaryColor: '#ffd400' })).toMatch(
      /fill="#ffd400"\/><text [^>]*fill="#000000">É<\/text>/,
    );
    expect(renderBrandMark({ name: '👩‍💻 Builds' })).toContain('>👩‍💻</text>');
  });

  test('the colour of a brand mark depends only on the brand name', () => {
    expect(renderBrandMark({ name: 'Northwind' })).toBe(renderBrandMark({ name: 'Northwind' }));
    expect(renderBrandMark({ name: 'Northwind' })).not.toBe(renderBrandMark({ name: 'Southwind' }));
  });

  test('a brand without a name has no brand mark', () => {
    expect([renderBrandMark(undefined), renderBrandMark({ name: ' \n' })]).toEqual(['', '']);
  });
});

describe('effects of brand settings on pages', () => {
  const look = {
    name: 'Northwind',
    primaryColor: '#0a5c36',
    primaryColorDark: '#7bd3a8',
    onPrimaryColor: '#ffffff',
    onPrimaryColorDark: '#003300',
    backgroundColor: '#f4f1ea',
    cornerRadius: 3,
    font: 'serif',
  } as const;

  test('the brand settings determine the colours, corners and font of the hosted pages', () => {
    const theme = renderTheme(look);
    expect(listColours(theme, 'accent')).toEqual(['#0a5c36', '#7bd3a8']);
    expect(listColours(theme, 'on-accent')).toEqual(['#ffffff', '#003300']);
    expect(listColours(theme, 'page')).toEqual(['#f4f1ea']);
    expect(theme).toContain('--radius:3px;--card-radius:9px;--font:');
    expect(renderTheme({ name: 'Northwind', cornerRadius: 0 })).toBe(':root{--radius:0px;--card-radius:0px}');
  });

  test('URLs in brand texts are not turned into links', () => {
    const own = {
      title: 'Welcome',
      subtitle: 'See https://a.example/x',
      help: 'Call 0800',
      terms: 'Our terms',
    };
    const brand = { name: 'Northwind', texts: { en: own }, links: { terms: 'https://a.example/terms' } };
    for (const [name, , make] of pages) {
      const html = make({ ...words, brand });
      const plain = visibleText(make(words));
      expect([name, html.match(/href="https:\/\/a\.example[^"]*"/g)]).toEqual([
        name,
        ['href="https://a.example/terms"'],
      ]);
      const isFirst = html.includes('<h1 dir="auto">Welcome</h1>');
      const ours = isFirst ? plain.replace(/Sign in to (?:Northwind|approve)/g, '') : plain;
      for (const sentence of ours.split(/\s{2,}|\n/).filter(Boolean))
        expect([name, visibleText(html)]).toEqual([name, expect.stringContaining(sentence)]);
    }
    expect(renderFooter(brand, 'de')).toBe(
      '\n<footer><a class="plain" dir="auto" href="https://a.example/terms" rel="noreferrer">Nutzungsbedingungen</a></footer>',
    );
    expect(renderFooter({ name: 'Northwind', links: { home: 'https://a.example/' } }, 'en')).toBe('');
  });
});

test.each([
  ['a logout', loggedOutPage],
  ['an expired notice link', noticeLinkDonePage],
])('the page after %s links to the home page of the application if it is known', (_, render) => {
  const given = { language: 'en', outcome: 'over' } as const;
  const links = { home: 'https://app.example.com/?a=1&b=2' };
  const html = render({ ...given, brand: { name: 'Northwind', links } });
  expect(html).toContain('href="https://app.example.com/?a=1&amp;b=2"');
  expect(visibleText(html)).toContain('Go to Northwind');
  expect(render({ ...given, brand: { name: 'Northwind' } })).not.toContain('<a ');
});
