/** Generated from package.json. */
export const version = "1.0.0";
/** The User-Agent of every request. */
export const userAgent = `docs-automation-action/${version}`;
