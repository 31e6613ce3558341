import { Busy, Unreachable } from "./api";
import { pause } from "./asker";

/** What is begun one after the other, of which only the newest counts. */
export interface Newest {
  /** Something new is begun; who waits for what was begun before stops waiting. Answers its number. */
  begin(): number;
  is(mine: number): boolean;
  /** Waits so many milliseconds, or until it is woken. */
  rest(wait: number): Promise<void>;
  wake(): void;
  /**
   * Asks until there is an answer: the server may still be starting. Null where something newer was begun
   * meanwhile: then nothing is asked and nothing told any more. A refusal is told, and thrown.
   *
   * @param tell - says what went wrong; answers how to take it back.
   */
  persist<T>(
    mine: number,
    ask: () => Promise<T>,
    tell: (error: unknown) => () => void,
  ): Promise<T | null>;
}

export function createNewest(delays: Parameters<typeof pause>[1]): Newest {
  let newest = 0;
  let waking: (() => void) | null = null;
  const wake = () => waking?.();
  const rest = (wait: number) =>
    new Promise<void>((done) => {
      waking = done;
      setTimeout(done, wait);
    });
  return {
    begin() {
      newest += 1;
      wake();
      return newest;
    },
    is: (mine) => mine === newest,
    rest,
    wake,
    async persist(mine, ask, tell) {
      let untell = () => {};
      for (let failures = 0; ; failures += 1) {
        try {
          return await ask();
        } catch (error) {
          if (mine !== newest) return null;
          untell();
          untell = tell(error);
          if (!(error instanceof Unreachable)) throw error;
          await rest(error instanceof Busy ? error.wait : pause(failures, delays));
          if (mine === newest) continue;
          untell();
          return null;
        }
      }
    },
  };
}
