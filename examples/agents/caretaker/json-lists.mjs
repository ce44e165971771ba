/** Finds and extends lists in the text of a JSON file, so that nothing else of it changes. */

const token = /"(?:[^"\\]|\\.)*"|[[\]{}:,]/g;

/**
 * @typedef {object} JsonList
 * @property {string} key The key it stands at.
 * @property {number} depth Of its key: 1 for one of the file's own keys.
 * @property {unknown[]} values
 * @property {number} start Where its opening bracket is.
 * @property {number} end Where its closing bracket is.
 * @property {number} last Where its last value ends; its opening bracket's end where it is empty.
 */

/**
 * The lists of a valid JSON text that stand at a key, in the order of the text.
 *
 * @param {string} text
 * @returns {JsonList[]}
 */
export function findLists(text) {
  const lists = [];
  const open = [];
  let previous = "";
  let key;
  for (const { 0: word, index } of text.matchAll(token)) {
    if (word === ":") key = JSON.parse(previous);
    if ("[{".includes(word)) {
      open.push({ key, start: index, depth: open.length });
      key = undefined;
    }
    if ("]}".includes(word)) {
      const opened = open.pop();
      if (word === "]" && opened.key !== undefined) lists.push(describeList(text, opened, index));
    }
    previous = word;
  }
  return lists.sort((left, right) => left.start - right.start);
}

function describeList(text, { key, start, depth }, end) {
  const last = text.slice(0, end).trimEnd().length;
  return { key, depth, values: JSON.parse(text.slice(start, end + 1)), start, end, last };
}

/**
 * The text with one more value at the end of a list, in the manner of the values before it.
 *
 * @param {string} text
 * @param {JsonList} list
 * @param {string} value As JSON.
 */
export function appendValue(text, { values, start, end, last }, value) {
  const isOnLines = text.slice(start, end).includes("\n");
  const indent = isOnLines ? /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", last - 1) + 1))[0] : "";
  const separator = isOnLines ? `,\n${indent}` : ", ";
  return text.slice(0, last) + (values.length === 0 ? "" : separator) + value + text.slice(last);
}
