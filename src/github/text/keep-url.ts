const schemes = /^(?:https?:|mailto:)/i;

/** A link's address as it may stay in the text, or `undefined` where GitHub would not link it or it could hold prose. */
export function keepUrl(url: string): string | undefined {
  if (url.length === 0 || url.length > 2000 || /\s/.test(url)) return undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(url) && !schemes.test(url)) return undefined;
  return url.replace(
    /[()<>\\"'[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
