/** Version of the action, for its user agent; generated from package.json. */
export const version = "1.0.0";
