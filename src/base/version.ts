/** The User-Agent of every request; generated from package.json. */
export const userAgent = "docs-automation-action/1.0.0";
