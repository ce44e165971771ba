/** Version of the action, for its user agent; generated from package.json. */
export const version = "0.1.0";
