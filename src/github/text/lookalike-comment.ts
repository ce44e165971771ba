/** Text that is shown as it stands, but is an HTML comment wherever it is decoded once more. */

const lessThan = "(?:<|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?)";
const bang = "(?:!|&excl;|&#0*33;?|&#[xX]0*21;?)";
const dash = "(?:-|&hyphen;|&dash;|&#0*45;?|&#[xX]0*2[dD];?)";
const greaterThan = "(?:>|&gt;?|&GT;?|&#0*62;?|&#[xX]0*3[eE];?)";
const backslash = "\\\\?";
/** Its beginning, in any spelling. */
export const lookalikeStart = new RegExp(
  `${backslash}${lessThan}${backslash}${bang}${backslash}${dash}${backslash}${dash}`,
);
/** Its end, in any spelling. */
export const lookalikeEnd = new RegExp(
  `${dash}${backslash}${dash}${backslash}${bang}?${backslash}${greaterThan}`,
);
