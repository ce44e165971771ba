/** Creates a function that runs work one after another, in the order of the calls. A failure does not stop later work. */
export function createSequence() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work, work);
    last = result;
    return result;
  };
}
