/** How the action introduces itself to servers; generated from package.json. */
export const userAgent = "docs-automation-action/1.0.0";
