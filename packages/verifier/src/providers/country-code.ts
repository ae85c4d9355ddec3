import countries from 'i18n-iso-countries';

/** Returns the ISO 3166-1 alpha-2 code of an alpha-2 or alpha-3 code in any case, or undefined for anything else. */
export function countryCode(code: unknown): string | undefined {
  if (typeof code !== 'string') return undefined;
  const upper = code.toUpperCase();
  if (/^[A-Z]{3}$/.test(upper)) return countries.alpha3ToAlpha2(upper);
  return /^[A-Z]{2}$/.test(upper) && countries.isValid(upper) ? upper : undefined;
}
