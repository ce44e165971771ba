/** Runs a React hook without a browser. */
import { createElement } from "react";
import { act, create } from "react-test-renderer";

export interface RenderedHook<Value> extends Disposable {
  /** What the hook returned last. */
  readonly current: Value;
  act(run: () => Promise<unknown>): Promise<void>;
  /** Resolves once the hook returns what is wanted. */
  until(isWanted: (value: Value) => boolean): Promise<void>;
}

export function renderHook<Value>(useValue: () => Value): RenderedHook<Value> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const seen: Value[] = [];
  let onRender: () => void = () => undefined;
  function Host() {
    seen.push(useValue());
    onRender();
    return null;
  }
  const root: { unmount: () => void }[] = [];
  act(() => {
    root.push(create(createElement(Host)));
  });
  const current = () => seen[seen.length - 1] as Value;
  return {
    get current() {
      return current();
    },
    act: async (run) => {
      await act(async () => void (await run()));
    },
    async until(isWanted) {
      while (!isWanted(current())) {
        await act(async () => {
          await new Promise<void>((resolve) => {
            onRender = resolve;
            setImmediate(resolve);
          });
        });
      }
    },
    [Symbol.dispose]() {
      act(() => root[0]?.unmount());
    },
  };
}
